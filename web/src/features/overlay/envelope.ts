/** The middle and the ends of several curves at the same moments. */
import { lowerBound } from "#/shared/plots/stack/window";

export interface Recorded {
  shape: "line" | "step" | "marks";
  t_s: readonly number[];
  values: readonly number[];
}

export interface Envelope {
  t: readonly number[];
  median: readonly number[];
  least: readonly number[];
  greatest: readonly number[];
}

/** A curve's value at a moment: steps hold, lines go straight; NaN before its first sample, and of
 * lines after their last. */
export function at({ shape, t_s: times, values }: Recorded, moment: number): number {
  const after = lowerBound(times, moment);
  if (times[after] === moment) return values[after] ?? NaN;
  const before = values[after - 1];
  if (before === undefined) return NaN;
  if (shape !== "line") return before;
  const [from, to, next] = [times[after - 1], times[after], values[after]];
  if (from === undefined || to === undefined || next === undefined) return NaN;
  return before + ((next - before) * (moment - from)) / (to - from);
}

/** NaN where fewer than half of the curves have a value: what is left would not be their middle. */
export function envelope(curves: readonly Recorded[], moments: readonly number[]): Envelope {
  const columns = moments.map((moment) => {
    const found = curves.map((curve) => at(curve, moment)).filter((value) => !Number.isNaN(value));
    if (found.length === 0 || 2 * found.length < curves.length) return [NaN, NaN, NaN] as const;
    found.sort((a, b) => a - b);
    const middle = (found.length - 1) / 2;
    const median = ((found[Math.floor(middle)] ?? NaN) + (found[Math.ceil(middle)] ?? NaN)) / 2;
    return [median, found[0] ?? NaN, found.at(-1) ?? NaN] as const;
  });
  return {
    t: moments,
    median: columns.map(([median]) => median),
    least: columns.map(([, least]) => least),
    greatest: columns.map(([, , greatest]) => greatest),
  };
}
