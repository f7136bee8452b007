import type { ReactElement } from "react";
import { duration, quantity } from "#/shared/units/format";
import classes from "./cell.module.css";
import type { Cell } from "./cell";
import { Label } from "./Label";

interface PathProps {
  from: number;
  to: number;
  y: number;
  path: Cell["path"];
}

/** The network between server and gateway: its delay, jitter and loss. Never the bottleneck. */
export function PathLink({ from, to, y, path }: PathProps): ReactElement {
  const middle = (from + to) / 2;
  const notes = [
    path.jitter_s > 0 && `± ${duration(path.jitter_s)}`,
    path.downlink_loss > 0 && `${quantity(100 * path.downlink_loss, "%")} loss →`,
    path.uplink_loss > 0 && `${quantity(100 * path.uplink_loss, "%")} loss ←`,
  ].filter((each) => each !== false);
  return (
    <g>
      <path d={`M${from} ${y}H${to}`} className={classes.pipe} strokeWidth={7} opacity={0.55} />
      <path d={`M${to} ${y + 16}H${from + 7}`} className={classes.back} />
      <path d={`M${from + 1} ${y + 16}l8 -4v8z`} className={classes.head} />
      <Label x={middle} y={y - 32} text="round trip" anchor="middle" small />
      <Label x={middle} y={y - 14} text={duration(path.rtt_s)} anchor="middle" fits={16} />
      {notes.map((note, index) => (
        <Label key={note} x={middle} y={y + 36 + 15 * index} text={note} anchor="middle" small />
      ))}
    </g>
  );
}
