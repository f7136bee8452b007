import type { ReactElement } from "react";
import type { Schema } from "#/api/client";
import { signed } from "#/shared/metrics/difference";
import classes from "./answer.module.css";
import { LOOKS, scaleOf } from "./words";

const percent = (share: number): string => `${(100 * share).toFixed(2)}%`;

/** The median difference with its interval, on a line with zero and what matters around it. */
export function IntervalBar({ told }: { told: Schema<"AnswerOut"> }): ReactElement | null {
  const { difference, low, high, matters_from: matters, metric } = told;
  if (difference === null) return null;
  const margin = matters ?? 0;
  const at = scaleOf([difference, low, high, -margin, margin]);
  const { colour } = LOOKS[told.verdict];
  return (
    <div
      className={classes.bar}
      role="img"
      aria-label={`Median difference ${signed(difference, metric.unit)}, interval ${signed(low, metric.unit)} to ${signed(high, metric.unit)}`}
    >
      <div
        className={classes.matters}
        style={{ left: percent(at(-margin)), width: percent(at(margin) - at(-margin)) }}
        title="smaller than matters"
      />
      <div className={classes.zero} style={{ left: percent(at(0)) }} />
      {low !== null && high !== null && (
        <div
          className={classes.interval}
          style={{
            left: percent(at(low)),
            width: percent(at(high) - at(low)),
            background: `var(${colour})`,
          }}
        />
      )}
      <div
        className={classes.point}
        style={{ left: percent(at(difference)), background: `var(${colour})` }}
      />
      <span className={classes.name} style={{ left: percent(at(0)) }}>
        as {told.beat_level}
      </span>
    </div>
  );
}
