/** Which of several choices are not beaten in both of two metrics by another. */

export type Way = "higher" | "lower" | null;

export interface Choice {
  x: number;
  y: number;
}

/** Positive: a is the better one. */
function ahead(a: number, b: number, way: Way): number {
  return way === "lower" ? b - a : a - b;
}

/** Those that no other is as good as in both and better than in one (Pareto's front), by x, rising.
 * Of metrics without a better one the larger counts as better. */
export function paretoFront<Each extends Choice>(
  choices: readonly Each[],
  { x, y }: { x: Way; y: Way },
): Each[] {
  const beaten = (one: Each): boolean =>
    choices.some((other) => {
      const [byX, byY] = [ahead(other.x, one.x, x), ahead(other.y, one.y, y)];
      return byX >= 0 && byY >= 0 && (byX > 0 || byY > 0);
    });
  return choices.filter((each) => !beaten(each)).sort((a, b) => a.x - b.x);
}
