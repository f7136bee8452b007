import type { ReactElement } from "react";
import { si } from "#/shared/units/quantity";
import classes from "./cell.module.css";
import type { CellDrawn } from "./model";

interface TimelineProps {
  x: number;
  y: number;
  width: number;
  cell: CellDrawn;
  colours: readonly string[];
}

/** When clients come and go over the experiment's duration; nothing while that is not known. */
export function Timeline({ x, y, width, cell, colours }: TimelineProps): ReactElement | null {
  const length = si("duration", cell.duration.text);
  if (length === null || length <= 0) return null;
  const at = (time: number): number => x + (width * Math.min(time, length)) / length;
  return (
    <g>
      {cell.clients.slice(0, 6).map((client, index) => {
        const start = si("duration", client.start) ?? 0;
        const stop = si("duration", client.stop) ?? length;
        return (
          <path
            key={index}
            d={`M${at(start)} ${y - 6 - 5 * index}H${at(stop)}`}
            stroke={colours[index % colours.length]}
            strokeWidth={3}
            strokeLinecap="round"
          />
        );
      })}
      <path d={`M${x} ${y}H${x + width}`} className={classes.axis} opacity={0.6} />
      <text x={x} y={y + 15} className={classes.small}>
        0 s
      </text>
      {cell.events.map((event, index) => {
        const moment = si("duration", /at (\S+)/.exec(event)?.[1]) ?? null;
        return moment === null ? null : (
          <path key={index} d={`M${at(moment)} ${y - 3}l5 9h-10z`} className={classes.event}>
            <title>{event}</title>
          </path>
        );
      })}
      <text x={x + width} y={y + 15} textAnchor="end" className={classes.small}>
        {cell.duration.text}
      </text>
    </g>
  );
}
