/** The part of a run that is shown and the part that is asked for. */
import type { Range } from "#/shared/plots/stack/panel";
import { clamp } from "#/shared/plots/stack/zoom";

/** Above this share of the whole, the whole's points do. */
const ALL = 0.9;

/** What the address says, inside the run. */
export function rangeOf(
  { from, to }: { from?: number | undefined; to?: number | undefined },
  extent: Range,
): Range {
  const begin = from ?? extent[0];
  const end = to ?? extent[1];
  return end <= begin ? extent : clamp([begin, end], extent);
}

/** What to ask for around a range: half of it more on both sides, so that small moves need nothing
 * new; null: the whole is enough. */
export function partOf([from, to]: Range, [start, end]: Range): Range | null {
  const length = to - from;
  if (length >= ALL * (end - start)) return null;
  // In steps of a half length, so that neighbouring ranges ask for the same.
  const step = length / 2;
  const begin = Math.floor((from - step) / step) * step;
  const round = (value: number): number => Number(value.toPrecision(9));
  return [Math.max(start, round(begin)), Math.min(end, round(begin + 5 * step))];
}
