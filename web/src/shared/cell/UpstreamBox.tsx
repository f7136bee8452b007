import type { ReactElement } from "react";
import { duration, quantity } from "#/shared/units/format";
import classes from "./cell.module.css";
import type { CellPath } from "./cell";
import { varies } from "./describe";
import { Label } from "./Label";
import { QueueFacts } from "./QueueFacts";
import { thickness } from "./thickness";

const BOX = { width: 186, height: 136 };
const LINK = 104;

/** How much wider a drawing is with it. */
export const UPSTREAM_WIDTH = BOX.width + LINK;

interface UpstreamProps {
  x: number;
  y: number;
  upstream: NonNullable<CellPath["upstream"]>;
  colours: readonly string[];
}

/** The second bottleneck and its link to the gateway, from its top left corner. */
export function UpstreamBox({ x, y, upstream, colours }: UpstreamProps): ReactElement {
  const { link, rtt_s: rtt } = upstream;
  const middle = BOX.height / 2;
  const wide = thickness(link);
  const notes = [...varies(link), ...(rtt > 0 ? [`+ ${duration(rtt)}`] : [])];
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect {...BOX} rx={8} className={classes.box} />
      <text x={14} y={24} className={classes.title}>
        upstream queue
      </text>
      <QueueFacts queue={link.queue} colours={colours} />
      <path
        d={`M${BOX.width} ${middle}H${UPSTREAM_WIDTH}`}
        className={`${classes.water} ${link.steps > 1 ? classes.varying : ""}`}
        strokeWidth={wide}
      />
      <Label
        x={BOX.width + LINK / 2}
        y={middle - wide / 2 - 9}
        text={quantity(link.rate_bps, "bit/s")}
        anchor="middle"
        fits={14}
      />
      {notes.map((note, index) => (
        <Label
          key={note}
          x={BOX.width + LINK / 2}
          y={middle + wide / 2 + 18 + 15 * index}
          text={note}
          anchor="middle"
          fits={16}
          small
        />
      ))}
    </g>
  );
}
