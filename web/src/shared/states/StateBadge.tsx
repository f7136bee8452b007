import type { ReactElement } from "react";
import type { RunState } from "#/shared/theme/palette";
import classes from "./states.module.css";

const COLOURS: Record<string, RunState> = {
  expanding: "running",
  active: "running",
  paused: "queued",
  finished: "succeeded",
  refused: "failed",
  deleting: "cancelled",
};

interface BadgeProps {
  state: string;
  /** Instead of the state's word. */
  text?: string;
}

/** The state of a run or a campaign: a coloured dot and its word. */
export function StateBadge({ state, text = state }: BadgeProps): ReactElement {
  return (
    <span className={classes.badge}>
      <span
        className={classes.dot}
        style={{ background: `var(--weir-${COLOURS[state] ?? state})` }}
      />
      {text}
    </span>
  );
}
