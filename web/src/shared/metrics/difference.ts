/** Differences of a metric, as words and numbers. */
import { number, quantity } from "#/shared/units/format";
import type { Metric } from "./metrics";

/** n: pairs of runs of one seed; distinct: how many of them are not one over again. */
export interface Difference {
  n: number;
  distinct: number;
  difference: number | null;
  ci_low: number | null;
  ci_high: number | null;
  relative: number | null;
  p_adjusted: number | null;
}

const SIGNIFICANT = 0.05;

/** +1.2 Mbit/s; a minus sign rather than a hyphen. */
export function signed(value: number | null, unit: string): string {
  if (value === null) return "–";
  const text = quantity(Math.abs(value), unit);
  return value > 0 ? `+${text}` : value < 0 ? `−${text}` : text;
}

/** +12 %; nothing where there is no share of anything. */
export function share(relative: number | null): string {
  return relative === null || !Number.isFinite(relative) ? "" : signed(100 * relative, "%");
}

export function isSignificant({ p_adjusted: p }: Pick<Difference, "p_adjusted">): boolean {
  return p !== null && p < SIGNIFICANT;
}

/** p = 0.031, p < 0.001, or why there is none. */
export function pText({
  p_adjusted: p,
  n,
  distinct,
}: Pick<Difference, "p_adjusted" | "n" | "distinct">): string {
  if (n === 0) return "no common seeds";
  if (p === null) return n > 1 && distinct === 1 ? "pairs all alike: no test" : "too few pairs";
  return p < 0.001 ? "p < 0.001" : `p = ${number(p, 2)}`;
}

/** Whether a difference is to the better, where the metric has a better. */
export function isBetter(difference: number, { better }: Pick<Metric, "better">): boolean | null {
  if (better === null || difference === 0) return null;
  return difference > 0 === (better === "higher");
}
