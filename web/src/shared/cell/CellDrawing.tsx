import { useComputedColorScheme } from "@mantine/core";
import type { ReactElement } from "react";
import { seriesColour } from "#/shared/theme/palette";
import classes from "./cell.module.css";
import { trafficOn, type Cell } from "./cell";
import { ClientCard } from "./ClientCard";
import { describe } from "./describe";
import { Joins } from "./Joins";
import { Label } from "./Label";
import { layoutOf, leadTo, usersOf } from "./layout";
import { Packets } from "./Packets";
import { PathRow } from "./PathRow";
import { ServerBox } from "./ServerBox";
import { Timeline, timelineHeight } from "./Timeline";

interface DrawingProps {
  cell: Cell;
  /** With packets that move through it. */
  live?: boolean;
}

/** A cell as it is going to be: server, paths, gateway, clients, and when these come and go. */
export function CellDrawing({ cell, live = false }: DrawingProps): ReactElement {
  const scheme = useComputedColorScheme("light");
  const layout = layoutOf(cell);
  const { width, columns, rows, clients, more, clientX, clientY } = layout;
  const colours = clients.map((_, index) => seriesColour(scheme, index));
  const height = layout.height + timelineHeight(cell, clients.length);
  const middle = layout.height / 2;
  const isSingle = rows.length === 1;

  return (
    <div className={classes.scroll} tabIndex={0}>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        className={`${classes.drawing} ${live ? classes.live : ""}`}
        role="img"
        aria-label={describe(cell)}
      >
        {clients.map((client, index) => (
          <Joins
            key={index}
            cell={cell}
            client={client}
            index={index}
            layout={layout}
            colour={colours[index] ?? ""}
          />
        ))}
        {cell.paths.map((path, index) => (
          <PathRow
            key={index}
            lead={leadTo(rows[index] ?? 0, layout)}
            y={rows[index] ?? 0}
            columns={columns}
            path={path}
            shaping={isSingle ? cell.shaping : null}
            traffic={trafficOn(cell, index)}
            colours={usersOf(cell, layout, index).map((user) => colours[user] ?? "")}
          />
        ))}
        {live && <Packets cell={cell} layout={layout} colours={colours} />}
        <ServerBox x={12} y={middle - 55} server={cell.server} film={cell.film} />
        {clients.map((client, index) => (
          <ClientCard
            key={index}
            x={clientX}
            y={clientY(index)}
            client={client}
            cell={cell}
            colour={colours[index] ?? ""}
          />
        ))}
        {more > 0 && (
          <Label x={clientX + 46} y={clientY(clients.length) + 6} text={`and ${more} more`} small />
        )}
        <Timeline x={12} y={height - 22} width={width - 24} cell={cell} colours={colours} />
      </svg>
    </div>
  );
}
