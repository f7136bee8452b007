import type { ReactElement } from "react";
import classes from "./cell.module.css";
import type { Traffic } from "./cell";
import { trafficText } from "./describe";
import { Label } from "./Label";

const SHOWN = 3;
const LINE = 15;

interface TrafficProps {
  x: number;
  /** Of the first line's baseline. */
  y: number;
  traffic: readonly Traffic[];
}

/** How many lines they take. */
export function trafficLines(traffic: readonly Traffic[]): number {
  return Math.min(traffic.length, SHOWN + 1);
}

/** Flows beside the players', each with an arrow that points where its data go. */
export function TrafficMarks({ x, y, traffic }: TrafficProps): ReactElement {
  const more = traffic.slice(SHOWN).reduce((sum, { count }) => sum + count, 0);
  return (
    <g data-part="traffic">
      {traffic.slice(0, SHOWN).map((flow, index) => {
        const at = y + LINE * index;
        const points = flow.direction === "downlink" ? "l7 4l-7 4z" : "m7 0l-7 4l7 4z";
        return (
          <g key={index}>
            <path d={`M${x} ${at - 8}${points}`} className={classes.traffic} />
            <Label x={x + 11} y={at} text={trafficText(flow)} fits={20} small />
          </g>
        );
      })}
      {more > 0 && <Label x={x + 11} y={y + LINE * SHOWN} text={`and ${more} more`} small />}
    </g>
  );
}
