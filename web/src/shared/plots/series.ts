/** What tells series apart: their colour; after the last colour dashes and symbols, too. */
import { SERIES_COLOURS, seriesColour, type Scheme } from "#/shared/theme/palette";

export const SYMBOLS = ["circle", "triangle", "diamond", "rect"] as const;
export type Symbol = (typeof SYMBOLS)[number];

/** Lengths of strokes and gaps, px. */
export type Dash = readonly number[];

const DASHES: readonly (Dash | undefined)[] = [undefined, [6, 3], [2, 2], [8, 2, 2, 2]];

/** Of a second line in the colour of one with the dash at the same place. */
const BESIDE: readonly Dash[] = [
  [3, 5],
  [12, 5],
  [1, 4],
  [8, 3, 1, 3, 1, 3],
];

/** Of what is no series', such as the share that would be fair. */
export const DASH_OF_NONE: Dash = [16, 3, 2, 3];
/** Of a second one in the same panel. */
export const SECOND_DASH_OF_NONE: Dash = [5, 3, 2, 3];

export interface SeriesLook {
  colour: string;
  /** Of lines and outlines; undefined: drawn through. */
  dash?: Dash | undefined;
  symbol: Symbol;
}

/** Of what is told apart by its lines alone. */
export function dashOf(index: number): Dash | undefined {
  return DASHES[index % DASHES.length];
}

/** Of a line that says more of the same, as ssthresh beside its cwnd: a dash that `dashOf` has not. */
export function dashBeside(dash: Dash | undefined): Dash | undefined {
  return BESIDE[DASHES.indexOf(dash)];
}

/** How often the colours have been used up before the series at an index. */
export function roundOf(scheme: Scheme, index: number): number {
  return Math.floor(index / SERIES_COLOURS[scheme].length);
}

/** Of the series at an index. 64 lines differ, and 32 symbols; then they repeat. */
export function seriesLook(scheme: Scheme, index: number): SeriesLook {
  const round = roundOf(scheme, index);
  const dashes = [...DASHES, ...BESIDE];
  return {
    colour: seriesColour(scheme, index),
    dash: dashes[round % dashes.length],
    symbol: SYMBOLS[round % SYMBOLS.length] ?? "circle",
  };
}
