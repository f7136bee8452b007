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

/** A client's lines, one to each of its addresses' paths; dashed where that is a backup. */
export function Joins({ cell, client, index, layout, colour }: JoinsProps): ReactElement {
  const { columns, rows, clientX, clientY } = layout;
  const { fork } = columns;
  const found = joins(cell, client);
  const isSingle = rows.length === 1;
  // Of one path all lines are alike; of several, each is its client's.
  const reach = isSingle ? [20, 12] : [(clientX - fork) * 0.6, (clientX - fork) * 0.4];
  return (
    <>
      {found.map(({ path, isBackup }, each) => {
        const from = rows[path] ?? 0;
        const to = clientY(index) + CARD.height / 2 + APART * (each - (found.length - 1) / 2);
        const curve = `C${fork + (reach[0] ?? 0)} ${from} ${fork + (reach[1] ?? 0)} ${to}`;
        return (
          <path
            key={each}
            data-part={isBackup ? "backup" : "join"}
            d={`M${fork} ${from}${curve} ${clientX} ${to}`}
            className={`${classes.pipe} ${isBackup ? classes.backup : ""}`}
            style={isSingle ? undefined : { stroke: colour }}
            strokeWidth={2.5}
          />
        );
      })}
    </>
  );
}
