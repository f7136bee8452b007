import type { ReactElement } from "react";
import { duration, quantity } from "#/shared/units/format";
import classes from "./cell.module.css";
import type { CellPath } from "./cell";
import { Label } from "./Label";

interface PathProps {
  /** What leads to its begin, as an SVG path. */
  lead: string;
  from: number;
  to: number;
  /** Where its line ends. */
  until: number;
  y: number;
  path: CellPath;
}

/** The network between server and gateway: name, delay, jitter and loss. Never the bottleneck. */
export function PathLink({ lead, from, to, until, y, path }: PathProps): ReactElement {
  const middle = (from + to) / 2;
  const notes = [
    path.jitter_s > 0 && `± ${duration(path.jitter_s)}`,
    path.downlink_loss > 0 && `${quantity(100 * path.downlink_loss, "%")} loss →`,
    path.uplink_loss > 0 && `${quantity(100 * path.uplink_loss, "%")} loss ←`,
  ].filter((each) => each !== false);
  return (
    <g>
      <path d={`${lead}H${until}`} className={classes.pipe} strokeWidth={7} opacity={0.55} />
      <path d={`M${to} ${y + 16}H${from + 7}`} className={classes.back} />
      <path d={`M${from + 1} ${y + 16}l8 -4v8z`} className={classes.head} />
      {path.name !== null && (
        <Label x={middle} y={y - 52} text={path.name} anchor="middle" fits={14} />
      )}
      <Label x={middle} y={y - 32} text="round trip" anchor="middle" small />
      <Label x={middle} y={y - 14} text={duration(path.rtt_s)} anchor="middle" fits={16} />
      {notes.map((note, index) => (
        <Label key={note} x={middle} y={y + 36 + 15 * index} text={note} anchor="middle" small />
      ))}
    </g>
  );
}
