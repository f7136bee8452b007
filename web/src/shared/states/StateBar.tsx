import type { ReactElement } from "react";
import { STATES } from "#/shared/theme/palette";
import { describeCounts } from "./describe";
import { total, type Counts } from "./grid";
import classes from "./states.module.css";

/** The shares of runs in each state, as one bar. of: runs there will be, when more than counted. */
export function StateBar({ counts, of = 0 }: { counts: Counts; of?: number }): ReactElement {
  const all = Math.max(of, total(counts));
  return (
    <div className={classes.bar} role="img" aria-label={describeCounts(counts) || "no runs"}>
      {STATES.filter((state) => (counts[state] ?? 0) > 0).map((state) => (
        <span
          key={state}
          style={{
            width: `${(100 * (counts[state] ?? 0)) / all}%`,
            background: `var(--weir-${state})`,
          }}
        />
      ))}
    </div>
  );
}
