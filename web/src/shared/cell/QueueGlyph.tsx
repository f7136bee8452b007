import type { ReactElement } from "react";
import classes from "./cell.module.css";

const SLOTS = 11;
const SLOT = 13;
const HEIGHT = 26;
const WAITING = 8;

/** A queue with packets waiting in it, each in its client's colour. */
export function QueueGlyph({ colours }: { colours: readonly string[] }): ReactElement {
  return (
    <g>
      <rect width={SLOTS * SLOT + 3} height={HEIGHT} rx={3} className={classes.well} />
      {Array.from({ length: WAITING }, (_, slot) => (
        <rect
          key={slot}
          x={SLOTS * SLOT - (slot + 1) * SLOT + 3}
          y={3}
          width={SLOT - 3}
          height={HEIGHT - 6}
          rx={1.5}
          fill={colours[(slot * 2 + (slot % 3)) % colours.length] ?? "var(--weir-line)"}
          opacity={0.85}
        />
      ))}
    </g>
  );
}
