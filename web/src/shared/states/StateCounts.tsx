import type { ReactElement } from "react";
import { STATES } from "#/shared/theme/palette";
import { count } from "#/shared/units/format";
import type { Counts } from "./grid";
import classes from "./states.module.css";

/** How many runs are in each state; the legend of the bar and of the grid. */
export function StateCounts({ counts }: { counts: Counts }): ReactElement {
  return (
    <div className={classes.counts}>
      {STATES.filter((state) => (counts[state] ?? 0) > 0).map((state) => (
        <span key={state} className={classes.badge}>
          <span className={classes.dot} style={{ background: `var(--weir-${state})` }} />
          {count(counts[state] ?? 0)} {state}
        </span>
      ))}
    </div>
  );
}
