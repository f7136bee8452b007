import type { ReactElement } from "react";
import classes from "./cell.module.css";
import type { Cell, Link } from "./cell";
import { Label } from "./Label";
import { QueueFacts } from "./QueueFacts";
import { ShapingGlyph } from "./ShapingGlyph";

export const GATEWAY = { width: 330, height: 136 };
/** Without a place for its shaping: no gateway shapes sessions that have several paths. */
export const PLAIN_WIDTH = 186;

interface GatewayProps {
  x: number;
  y: number;
  downlink: Link | null;
  shaping: Cell["shaping"] | null;
  colours: readonly string[];
}

/** The home gateway with its queue and its shaping, if any, from its top left corner. */
export function GatewayBox({ x, y, downlink, shaping, colours }: GatewayProps): ReactElement {
  const queue = downlink?.queue ?? null;
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect
        width={shaping === null ? PLAIN_WIDTH : GATEWAY.width}
        height={GATEWAY.height}
        rx={8}
        className={classes.box}
      />
      <text x={14} y={24} className={classes.title}>
        gateway queue
      </text>
      {queue === null ? (
        <Label x={14} y={45} text="none: the link is not shaped" fits={26} small />
      ) : (
        <QueueFacts queue={queue} colours={colours} />
      )}
      {shaping !== null && (
        <>
          <path d="M186 14V122" className={classes.axis} opacity={0.25} />
          <g transform="translate(200 24)">
            <ShapingGlyph shaping={shaping} colours={colours} />
          </g>
        </>
      )}
    </g>
  );
}
