/** Ranges of time after a gesture. All stay within the extent. */
import type { Range } from "./panel";

const SHORTEST_S = 1e-3;

/** A range of at least a millisecond inside the extent, moved rather than cut. */
export function clamp([from, to]: Range, [start, end]: Range): Range {
  const length = Math.min(Math.max(to - from, SHORTEST_S), end - start);
  const begin = Math.min(Math.max(from, start), end - length);
  return [begin, begin + length];
}

/** Scaled about a moment: factor 0.5 shows half of the time. */
export function scaled([from, to]: Range, about: number, factor: number, extent: Range): Range {
  return clamp([about - (about - from) * factor, about + (to - about) * factor], extent);
}

/** Two fingers keep the moments that they were put on. places: of them now, as shares of the width. */
export function pinched(
  moments: readonly [number, number],
  places: readonly [number, number],
  extent: Range,
): Range {
  const length = Math.abs((moments[1] - moments[0]) / (places[1] - places[0]));
  if (!Number.isFinite(length)) return extent;
  const from = moments[0] - places[0] * length;
  return clamp([from, from + length], extent);
}

/** Moved by a share of its length. */
export function shifted([from, to]: Range, share: number, extent: Range): Range {
  const by = (to - from) * share;
  return clamp([from + by, to + by], extent);
}

/** What a key does, or null. */
export function keyed(key: string, range: Range, extent: Range): Range | null {
  const middle = (range[0] + range[1]) / 2;
  switch (key) {
    case "+":
    case "=":
      return scaled(range, middle, 0.5, extent);
    case "-":
      return scaled(range, middle, 2, extent);
    case "ArrowLeft":
      return shifted(range, -0.2, extent);
    case "ArrowRight":
      return shifted(range, 0.2, extent);
    case "0":
      return extent;
    default:
      return null;
  }
}
