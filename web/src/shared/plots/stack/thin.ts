import type { Range } from "./panel";

/**
 * The samples [first, end) as [t, y, t, y, ...], at most four for each of `columns` pixels: first,
 * least, greatest and last. A line through them covers the same pixels as one through all of them
 * (M4: Jugel et al., VLDB 2014, section 4). 180,000 samples take 1 to 2 ms.
 */
export function thin(
  t: ArrayLike<number>,
  y: ArrayLike<number>,
  [first, end]: readonly [number, number],
  [from, to]: Range,
  columns: number,
): Float64Array {
  const out = new Float64Array(2 * Math.min(end - first, 4 * (columns + 2)));
  if (end - first <= 4 * columns) {
    for (let index = first, at = 0; index < end; index += 1, at += 2) {
      out[at] = t[index] ?? NaN;
      out[at + 1] = y[index] ?? NaN;
    }
    return out;
  }
  const scale = columns / (to - from);
  let at = 0;
  const put = (index: number): void => {
    out[at] = t[index] ?? NaN;
    out[at + 1] = y[index] ?? NaN;
    at += 2;
  };
  const column = (index: number): number =>
    Math.min(columns, Math.max(-1, Math.floor(((t[index] ?? 0) - from) * scale)));
  for (let start = first; start < end;) {
    const bucket = column(start);
    let least = start;
    let greatest = start;
    let next = start + 1;
    for (; next < end && column(next) === bucket; next += 1) {
      const value = y[next] ?? NaN;
      if (!(value >= (y[least] ?? NaN))) least = next;
      if (!(value <= (y[greatest] ?? NaN))) greatest = next;
    }
    const picked = [start, Math.min(least, greatest), Math.max(least, greatest), next - 1];
    picked.forEach((index, place) => {
      if (place === 0 || index !== picked[place - 1]) put(index);
    });
    start = next;
  }
  return out.subarray(0, at);
}

/** Dots that fall on the same of columns x rows places are drawn once. */
export function thinDots(
  t: ArrayLike<number>,
  y: ArrayLike<number>,
  [first, end]: readonly [number, number],
  [from, to]: Range,
  columns: number,
  rows: number,
): Float64Array {
  let low = Infinity;
  let high = -Infinity;
  for (let index = first; index < end; index += 1) {
    const value = y[index] ?? NaN;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  const height = high > low ? rows / (high - low) : 0;
  const taken = new Set<number>();
  const out = new Float64Array(2 * (end - first));
  let at = 0;
  for (let index = first; index < end; index += 1) {
    const time = t[index] ?? NaN;
    const value = y[index] ?? NaN;
    const place =
      Math.floor(((time - from) * columns) / (to - from)) * (rows + 2) +
      Math.floor((value - low) * height);
    if (Number.isNaN(place) || taken.has(place)) continue;
    taken.add(place);
    out[at] = time;
    out[at + 1] = value;
    at += 2;
  }
  return out.subarray(0, at);
}
