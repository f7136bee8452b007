import type { ReactElement } from "react";
import classes from "./cell.module.css";
import { joins, type Cell, type Client } from "./cell";
import { CARD } from "./ClientCard";
import type { Layout } from "./layout";

/** Between the lines of one client. */
const APART = 13;

interface JoinsProps {
  cell: Cell;
  client: Client;
  index: number;
  layout: Layout;
  colour: string;
}

/** From the end of the links to a client, for each of its addresses, as the rest of an SVG path that
 * begins there. */
export function curvesTo(cell: Cell, layout: Layout, index: number): string[] {
  const { columns, rows, clients, clientX, clientY } = layout;
  const client = clients[index];
  if (client === undefined) return [];
  const { fork } = columns;
  const found = joins(cell, client);
  // Of one path all lines are alike; of several, each is its client's.
  const reach = rows.length === 1 ? [20, 12] : [(clientX - fork) * 0.6, (clientX - fork) * 0.4];
  return found.map(({ path }, each) => {
    const from = rows[path] ?? 0;
    const to = clientY(index) + CARD.height / 2 + APART * (each - (found.length - 1) / 2);
    const bend = `C${fork + (reach[0] ?? 0)} ${from} ${fork + (reach[1] ?? 0)} ${to}`;
    return `${bend} ${clientX} ${to}`;
  });
}

/** A client's lines, one to each of its addresses' paths; dashed where that is a backup. */
export function Joins({ cell, client, index, layout, colour }: JoinsProps): ReactElement {
  const { columns, rows } = layout;
  const found = joins(cell, client);
  return (
    <>
      {curvesTo(cell, layout, index).map((curve, each) => {
        const { path = 0, isBackup = false } = found[each] ?? {};
        return (
          <path
            key={each}
            data-part={isBackup ? "backup" : "join"}
            d={`M${columns.fork} ${rows[path] ?? 0}${curve}`}
            className={`${classes.pipe} ${isBackup ? classes.backup : ""}`}
            style={rows.length === 1 ? undefined : { stroke: colour }}
            strokeWidth={2.5}
          />
        );
      })}
    </>
  );
}
