import type { ReactElement } from "react";
import classes from "./cell.module.css";
import { Label } from "./Label";
import type { CellDrawn } from "./model";

interface PathProps {
  from: number;
  to: number;
  y: number;
  cell: CellDrawn;
}

/** The network between server and gateway: its delay, jitter and loss. Never the bottleneck. */
export function PathLink({ from, to, y, cell }: PathProps): ReactElement {
  const middle = (from + to) / 2;
  const losses = [
    cell.loss.downlink !== null && `${cell.loss.downlink} loss →`,
    cell.loss.uplink !== null && `${cell.loss.uplink} loss ←`,
  ].filter((each) => each !== false);
  return (
    <g>
      <path d={`M${from} ${y}H${to}`} className={classes.pipe} strokeWidth={7} opacity={0.55} />
      <path d={`M${to} ${y + 16}H${from + 7}`} className={classes.back} />
      <path d={`M${from + 1} ${y + 16}l8 -4v8z`} className={classes.head} />
      <text x={middle} y={y - 32} textAnchor="middle" className={classes.small}>
        round trip
      </text>
      <Label x={middle} y={y - 14} word={cell.rtt} anchor="middle" fits={16} />
      {[cell.jitter !== null && `± ${cell.jitter}`, ...losses]
        .filter((each) => each !== false)
        .map((line, index) => (
          <text
            key={line}
            x={middle}
            y={y + 36 + 15 * index}
            textAnchor="middle"
            className={classes.small}
          >
            {line}
          </text>
        ))}
    </g>
  );
}
