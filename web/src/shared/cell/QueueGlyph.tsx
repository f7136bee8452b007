import type { ReactElement } from "react";
import classes from "./cell.module.css";
import type { CellDrawn } from "./model";

const FAIR = ["sfq", "fq-codel", "cake"];
const EARLY = ["red", "ared", "codel", "fq-codel", "pie"];
const SLOTS = 11;
const SLOT = 13;

/**
 * The queue: one lane, or one per flow where the discipline separates flows, packets in their
 * client's colour. A slope over the lane stands for dropping before the queue is full.
 */
export function QueueGlyph({
  queue,
  colours,
}: {
  queue: CellDrawn["queue"];
  colours: readonly string[];
}): ReactElement {
  const fair = FAIR.includes(queue.discipline.text);
  const early = EARLY.includes(queue.discipline.text);
  const lanes = fair ? Math.min(3, Math.max(2, colours.length)) : 1;
  const height = fair ? 13 : 26;
  return (
    <g>
      {Array.from({ length: lanes }, (_, lane) => (
        <g key={lane} transform={`translate(0 ${lane * (height + 4)})`}>
          <rect width={SLOTS * SLOT + 3} height={height} rx={3} className={classes.well} />
          {Array.from({ length: fair ? 6 - 2 * (lane % 2) : 8 }, (_, slot) => (
            <rect
              key={slot}
              x={SLOTS * SLOT - (slot + 1) * SLOT + 3}
              y={3}
              width={SLOT - 3}
              height={height - 6}
              rx={1.5}
              fill={
                colours[(fair ? lane : slot * 2 + (slot % 3)) % Math.max(1, colours.length)] ??
                "var(--weir-line)"
              }
              opacity={0.85}
            />
          ))}
          {early && (
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
