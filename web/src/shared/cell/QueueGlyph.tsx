import type { ReactElement } from "react";
import classes from "./cell.module.css";
import type { Link } from "./cell";

const SLOTS = 11;
const SLOT = 13;
const HEIGHT = 26;
const LANE = 12;
const GAP = 3;

interface QueueGlyphProps {
  queue: Pick<Link["queue"], "per_flow" | "drops_early">;
  colours: readonly string[];
}

/**
 * A queue with packets waiting in it, each in its client's colour: in a lane for each flow where the
 * discipline has a queue for each. A slope stands for dropping before it is full.
 */
export function QueueGlyph({ queue, colours }: QueueGlyphProps): ReactElement {
  const lanes = queue.per_flow ? Math.min(3, Math.max(2, colours.length)) : 1;
  const height = queue.per_flow ? LANE : HEIGHT;
  return (
    <g>
      {Array.from({ length: lanes }, (_, lane) => (
        <g key={lane} data-part="lane" transform={`translate(0 ${lane * (LANE + GAP)})`}>
          <rect width={SLOTS * SLOT + 3} height={height} rx={3} className={classes.well} />
          <g
            className={classes.waiting}
            style={{ animationDelay: `calc(${-lane / lanes} * var(--turn))` }}
          >
            {Array.from({ length: queue.per_flow ? 6 - 2 * (lane % 2) : 8 }, (_, slot) => (
              <rect
                key={slot}
                x={SLOTS * SLOT - (slot + 1) * SLOT + 3}
                y={3}
                width={SLOT - 3}
                height={height - 6}
                rx={1.5}
                fill={
                  colours[(queue.per_flow ? lane : slot * 2 + (slot % 3)) % colours.length] ??
                  "var(--weir-line)"
                }
                opacity={0.85}
              />
            ))}
          </g>
          {queue.drops_early && (
            <path
              d={`M${SLOT} 2.5H${SLOT * 4}L${SLOT} ${height - 2.5}z`}
              fill="var(--weir-failed)"
              opacity={0.3}
            >
              <title>drops before it is full</title>
            </path>
          )}
        </g>
      ))}
    </g>
  );
}
