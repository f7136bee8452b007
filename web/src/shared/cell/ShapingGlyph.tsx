import type { ReactElement } from "react";
import classes from "./cell.module.css";
import { Label } from "./Label";
import type { CellDrawn } from "./model";

const MEANING: Record<string, string> = {
  none: "sessions compete",
  htbm: "a class per session",
  rwtm: "receive windows set",
};

/** What the bandwidth manager does: nothing, a valve per session, or windows set in the ACKs. */
export function ShapingGlyph({
  shaping,
  colours,
}: {
  shaping: CellDrawn["shaping"];
  colours: readonly string[];
}): ReactElement {
  const method = shaping.method.text;
  const lanes = colours.slice(0, 3);
  return (
    <g>
      <text className={classes.title}>shaping</text>
      <Label x={0} y={21} word={shaping.method} fits={12} />
      {method !== "none" && shaping.method.state === "ok" && (
        <text x={0} y={38} className={classes.small}>
          + {shaping.headroom} headroom
        </text>
      )}
      <text x={0} y={method === "none" ? 38 : 53} className={classes.small}>
        {MEANING[method] ?? ""}
      </text>
      {method === "htbm" &&
        lanes.map((colour, lane) => (
          <g key={lane} transform={`translate(80 ${2 + lane * 11})`} stroke={colour} fill={colour}>
            <path d="M0 0h12m10 0h18" strokeWidth={3} strokeLinecap="round" />
            <path d="M12 -4l5 4l-5 4zM22 -4l-5 4l5 4z" strokeWidth={0.5} />
          </g>
        ))}
      {method === "rwtm" && (
        <g transform="translate(80 12)">
          <path d="M40 0H8" className={classes.back} />
          <path d="M0 0l9 -4.5v9z" className={classes.head} />
          <path d="M16 -9h-4v18h4M32 -9h4v18h-4" className={classes.icon} />
        </g>
      )}
    </g>
  );
}
