/** The five numbers of a box: quartiles, and whiskers at most 1.5 times their distance away. */
export interface FiveNumbers {
  low: number;
  lower: number;
  median: number;
  upper: number;
  high: number;
}

/** The quantile of sorted values, linear between them (Hyndman and Fan's type 7, numpy's). */
function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const below = sorted[Math.floor(at)] ?? NaN;
  const above = sorted[Math.ceil(at)] ?? NaN;
  return below + (above - below) * (at - Math.floor(at));
}

/** Null for no values. Values beyond the whiskers show in the strip only. */
export function fiveNumbers(values: readonly number[]): FiveNumbers | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const lower = quantile(sorted, 0.25);
  const upper = quantile(sorted, 0.75);
  const reach = 1.5 * (upper - lower);
  const within = sorted.filter((value) => value >= lower - reach && value <= upper + reach);
  return {
    // The least value within reach may lie above a quartile that is between two values.
    low: Math.min(within[0] ?? lower, lower),
    lower,
    median: quantile(sorted, 0.5),
    upper,
    high: Math.max(within.at(-1) ?? upper, upper),
  };
}
