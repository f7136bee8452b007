import type { ReactElement } from "react";
import { duration } from "#/shared/units/format";
import classes from "./cell.module.css";
import type { Cell } from "./cell";
import { eventText } from "./describe";

interface TimelineProps {
  x: number;
  y: number;
  width: number;
  cell: Cell;
  /** Of the clients that are drawn. */
  colours: readonly string[];
}

/** When clients come and go over the experiment's duration, and when there is loss. */
export function Timeline({ x, y, width, cell, colours }: TimelineProps): ReactElement {
  const length = cell.duration_s;
  const at = (time: number): number => x + (width * Math.min(time, length)) / length;
  return (
    <g>
      {colours.map((colour, index) => {
        const client = cell.clients[index];
        return (
          <path
            key={index}
            d={`M${at(client?.start_s ?? 0)} ${y - 6 - 5 * index}H${at(client?.stop_s ?? length)}`}
            stroke={colour}
            strokeWidth={3}
            strokeLinecap="round"
          />
        );
      })}
      <path d={`M${x} ${y}H${x + width}`} className={classes.axis} opacity={0.6} />
      <text x={x} y={y + 15} className={classes.small}>
        0 s
      </text>
      {cell.events.map((event, index) => (
        <path key={index} d={`M${at(event.at_s)} ${y - 3}l5 9h-10z`} className={classes.event}>
          <title>{eventText(event)}</title>
        </path>
      ))}
      <text x={x + width} y={y + 15} textAnchor="end" className={classes.small}>
        {duration(length)}
      </text>
    </g>
  );
}
