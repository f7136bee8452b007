import type { ReactElement } from "react";
import classes from "./cell.module.css";
import { Label } from "./Label";
import type { CellDrawn } from "./model";
import { QueueGlyph } from "./QueueGlyph";
import { ShapingGlyph } from "./ShapingGlyph";

export const GATEWAY = { width: 330, height: 136 };

/** The home gateway with its queue and its shaping, from its top left corner. */
export function GatewayBox({
  x,
  y,
  cell,
  colours,
}: {
  x: number;
  y: number;
  cell: CellDrawn;
  colours: readonly string[];
}): ReactElement {
  const { queue } = cell;
  const held =
    queue.limitPackets !== null && !queue.limit.text.includes("packets")
      ? ` = ${queue.limitPackets} packets`
      : "";
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect {...GATEWAY} rx={8} className={classes.box} />
      <text x={14} y={24} className={classes.title}>
        gateway queue
      </text>
      <Label x={14} y={45} word={queue.discipline} fits={16} />
      <g transform="translate(14 56)">
        <QueueGlyph queue={queue} colours={colours} />
      </g>
      <text x={14} y={124} className={classes.small}>
        holds{" "}
        <tspan className={queue.limit.state === "wrong" ? classes.wrong : undefined}>
          {queue.limit.text.slice(0, 14)}
        </tspan>
        {held}
      </text>
      <path d="M178 14V122" className={classes.axis} opacity={0.25} />
      <g transform="translate(192 24)">
        <ShapingGlyph shaping={cell.shaping} colours={colours} />
      </g>
    </g>
  );
}
