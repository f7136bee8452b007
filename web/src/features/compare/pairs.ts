/** Two campaigns' means, group by group, as bars. */
import type { BarsData } from "#/shared/plots/bars";
import { levelText } from "#/shared/levels/text";
import { areAlike } from "#/shared/metrics/counted";
import type { Comparison, Pair } from "./queries";

/** A pair's levels on one line. */
export function pairText({ levels }: Pick<Pair, "levels">): string {
  return Object.values(levels).map(levelText).join(" · ") || "all runs";
}

export function barsOf({ metric, pairs }: Comparison, names: { a: string; b: string }): BarsData {
  const side = (which: "a" | "b") => ({
    name: names[which],
    cells: pairs.map((pair) => {
      const { mean, ci_low: ciLow, ci_high: ciHigh, n, distinct } = pair[which];
      return mean === null ? null : { mean, ciLow, ciHigh, n, distinct };
    }),
  });
  return {
    metric: metric.title,
    unit: metric.unit,
    categories: pairs.map(pairText),
    series: [side("a"), side("b")],
  };
}

/** What the comparison comes to, in a sentence. */
export function verdict({ pairs }: Pick<Comparison, "pairs">): string {
  if (pairs.every(({ n }) => n === 0))
    return "The two have no seed in common, so no runs can be paired and no difference be judged.";
  const better = { a: 0, b: 0 };
  for (const pair of pairs) if (pair.better !== null) better[pair.better] += 1;
  const told = (["a", "b"] as const)
    .filter((side) => better[side] > 0)
    .map((side) => `${side.toUpperCase()} is better in ${better[side]}`);
  const alike = pairs.filter(areAlike).length;
  const rest = pairs.length - better.a - better.b - alike;
  const untested = alike > 0 ? ` In ${alike} all pairs are alike, and nothing can be tested.` : "";
  if (told.length === 0) return `No significant difference in any of ${pairs.length}.${untested}`;
  return `Of ${pairs.length}, ${told.join(", ")}${rest > 0 ? `; ${rest} undecided` : ""}.${untested}`;
}
