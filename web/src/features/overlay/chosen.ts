/** Which of a group's runs are drawn, which one is typical, and what is laid beside one. */
import { levelText } from "#/shared/levels/text";

export interface Valued {
  id: number;
  value: number | null;
}

/** More curves over each other say no more. */
export const MOST_DRAWN = 60;
/** More links are not read. */
const MOST_BESIDE = 12;

export function meanOf(runs: readonly Valued[]): number | null {
  const known = runs.flatMap(({ value }) => (value === null ? [] : [value]));
  return known.length === 0 ? null : known.reduce((sum, each) => sum + each, 0) / known.length;
}

/** The run whose value is nearest to the mean; of equal ones the first. */
export function typicalOf<Run extends Valued>(runs: readonly Run[]): Run | undefined {
  const mean = meanOf(runs);
  const away = ({ value }: Run): number =>
    mean === null || value === null ? Infinity : Math.abs(value - mean);
  return runs.reduce<Run | undefined>(
    (best, run) => (best === undefined || away(run) < away(best) ? run : best),
    undefined,
  );
}

/** Runs by their value, rising; those without one last. */
export function byValue<Run extends Valued>(runs: readonly Run[]): Run[] {
  return [...runs].sort((a, b) => (a.value ?? Infinity) - (b.value ?? Infinity) || a.id - b.id);
}

/** At most so many, evenly spaced by value: the least, the largest and the typical one among them. */
export function spread<Run extends Valued>(runs: readonly Run[], most = MOST_DRAWN): Run[] {
  const rising = byValue(runs);
  if (rising.length <= most) return rising;
  const step = (rising.length - 1) / (most - 1);
  const kept = new Set(Array.from({ length: most }, (_, index) => Math.round(index * step)));
  const typical = rising.findIndex((run) => run.id === typicalOf(runs)?.id);
  if (typical >= 0 && !kept.has(typical)) {
    const nearest = [...kept].reduce((a, b) =>
      Math.abs(b - typical) < Math.abs(a - typical) ? b : a,
    );
    kept.delete(nearest === 0 || nearest === rising.length - 1 ? Math.round(step) : nearest);
    kept.add(typical);
  }
  return rising.filter((_, index) => kept.has(index));
}

interface Levelled {
  levels: Readonly<Record<string, unknown>>;
}

/** Of many runs those that differ from one in the fewest factors; of few, all. */
export function nearestOf<Run extends Levelled>(run: Levelled, others: readonly Run[]): Run[] {
  if (others.length <= MOST_BESIDE) return [...others];
  const apart = ({ levels }: Run): number =>
    Object.entries(levels).filter(
      ([factor, level]) => levelText(level) !== levelText(run.levels[factor]),
    ).length;
  const least = Math.min(...others.map(apart));
  return others.filter((each) => apart(each) === least);
}
