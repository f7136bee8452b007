import type { Range } from "./panel";

/** The first index whose value is not below `at`; the length when there is none. */
export function lowerBound(sorted: ArrayLike<number>, at: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Indices [first, end) of the samples in a range, with one more on either side: lines and steps
 * enter and leave the picture. */
export function within(t: ArrayLike<number>, [from, to]: Range): [number, number] {
  const first = lowerBound(t, from);
  let end = lowerBound(t, to);
  while (end < t.length && t[end] === to) end += 1;
  return [Math.max(0, first - 1), Math.min(t.length, end + 1)];
}

/** The value that a series has at a moment: the last one of a step, the nearest of a line or dots
 * within `reach` s; null outside. */
export function valueAt(
  series: { t: ArrayLike<number>; y: ArrayLike<number>; shape: "line" | "step" | "dots" },
  at: number,
  reach: number,
): number | null {
  const { t, y, shape } = series;
  const after = lowerBound(t, at);
  let index = t[after] === at ? after : after - 1;
  if (shape !== "step") {
    const distance = (each: number): number =>
      each < 0 || each >= t.length ? Infinity : Math.abs((t[each] ?? 0) - at);
    if (distance(after) < distance(index)) index = after;
    if (shape === "dots" && distance(index) > reach) return null;
  }
  const value = y[index];
  return value === undefined || Number.isNaN(value) ? null : value;
}
