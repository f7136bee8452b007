/** Differences of a metric, as words and numbers. */
import { number, quantity } from "#/shared/units/format";
import { counted } from "./counted";
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

/** adjusted p = 0.031, adjusted p < 0.001, or why there is none. */
export function pText({
  p_adjusted: p,
  n,
  distinct,
}: Pick<Difference, "p_adjusted" | "n" | "distinct">): string {
  if (n === 0) return "no common seeds";
  if (p === null) return n > 1 && distinct === 1 ? "pairs all alike: no test" : "too few pairs";
  return `adjusted p ${p < 0.001 ? "< 0.001" : `= ${number(p, 2)}`}`;
}

const WORDS = { true: "better", false: "worse", null: "neither better nor worse" } as const;

/** Better, worse or neither, where it is beyond chance; else nothing. */
export function verdict(found: Difference, metric: Pick<Metric, "better">): string {
  if (found.difference === null || !isSignificant(found)) return "";
  return WORDS[String(isBetter(found.difference, metric)) as keyof typeof WORDS];
}

/** A difference in one line: with its interval, p, pairs and what it is worth. */
export function inWords(found: Difference, metric: Pick<Metric, "unit" | "better">): string {
  const { difference, ci_low: low, ci_high: high, relative } = found;
  const range =
    low !== null && high !== null
      ? ` [${signed(low, metric.unit)} … ${signed(high, metric.unit)}]`
      : "";
  const part = share(relative);
  const size = `${signed(difference, metric.unit)}${part === "" ? "" : ` (${part})`}${range}`;
  return [size, pText(found), counted(found, "pairs"), verdict(found, metric)]
    .filter((each) => each !== "")
    .join(", ");
}

/** Whether a difference is to the better, where the metric has a better. */
export function isBetter(difference: number, { better }: Pick<Metric, "better">): boolean | null {
  if (better === null || difference === 0) return null;
  return difference > 0 === (better === "higher");
}
