/** Which bars differ beyond chance, as brackets over them. */
import { INK, STATE_COLOURS, type Scheme } from "#/shared/theme/palette";
import type { Bracket } from "./marks/bracket";

/** A bar (to) against another one (from), each by [category, series]. isBetter: null where neither
 * way is. text: all that is to say of it, in words. */
export interface Contrast {
  from: readonly [number, number];
  to: readonly [number, number];
  isBetter: boolean | null;
  text: string;
}

/** What brackets stand over: bars by [category, series], with whiskers and a paper's mark. */
interface Bars {
  categories: readonly string[];
  series: readonly { cells: readonly (Bar | null)[] }[];
}

interface Bar {
  mean: number;
  ciHigh: number | null;
  paper?: number | null;
}

const MOST_STEPS = 4;
const SIGNS = { true: "▲", false: "▼", null: "≠" } as const;

/** The highest that is drawn at a bar. */
function reach({ series }: Bars, [category, column]: readonly [number, number]): number {
  const cell = series[column]?.cells[category];
  return Math.max(0, cell?.ciHigh ?? 0, cell?.mean ?? 0, cell?.paper ?? 0);
}

/** Every bar from one to the other, whole categories. */
function spanned({ series }: Bars, { from, to }: Contrast): (readonly [number, number])[] {
  const first = Math.min(from[0], to[0]);
  const count = Math.abs(from[0] - to[0]) + 1;
  return Array.from({ length: count }, (_, index) => first + index).flatMap((category) =>
    series.map((_each, column) => [category, column] as const),
  );
}

/** Brackets from one and the same bar stand above each other; where that would be a tower, each
 * bar has its sign alone. */
export function bracketsOf(data: Bars, contrasts: readonly Contrast[], scheme: Scheme): Bracket[] {
  const colours = {
    true: STATE_COLOURS[scheme].succeeded,
    false: STATE_COLOURS[scheme].failed,
    null: INK[scheme].dim,
  };
  const piles = data.categories.map((_, category) =>
    contrasts.filter(({ from }) => from[0] === category),
  );
  const alone = piles.some((pile) => pile.length > MOST_STEPS);
  return piles.flatMap((pile) =>
    pile.map((contrast, step): Bracket => {
      const key = String(contrast.isBetter) as keyof typeof SIGNS;
      const { from, to } = contrast;
      const mark = { to, label: SIGNS[key], colour: colours[key] };
      if (alone) return { ...mark, from: to, step: 0, above: reach(data, to) };
      const bars = spanned(data, contrast);
      return { ...mark, from, step, above: Math.max(...bars.map((bar) => reach(data, bar))) };
    }),
  );
}

/** How many brackets the highest pile has. */
export function tallest(found: readonly Bracket[]): number {
  return Math.max(0, ...found.map(({ step }) => step + 1));
}
