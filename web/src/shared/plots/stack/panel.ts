/** Measurements over one shared time axis, in panels above each other. Times in s. */
import type { Dash, Symbol } from "../series";

export interface Samples {
  name: string;
  /** Ascending. */
  t: ArrayLike<number>;
  /** As long as `t`; NaN is a gap. */
  y: ArrayLike<number>;
}

export interface Series extends Samples {
  /** Curves drawn as one, in place of its own `t` and `y`: hundreds of series take seconds. */
  parts?: readonly Samples[] | undefined;
  /** line: between samples it is anything; step: it holds until the next; dots: events. */
  shape: "line" | "step" | "dots";
  colour: string;
  /** Of a line. */
  dash?: Dash | undefined;
  /** Of dots. */
  symbol?: Symbol | undefined;
  /** faint: one of many, without an entry in the legend; bold: the one that matters. */
  weight?: "faint" | "bold" | undefined;
}

/** A stretch of time in a panel, such as a stall. */
export interface Span {
  from: number;
  to: number;
  /** What the legend calls all of its kind: "client 2 stalls". */
  name: string;
  /** What this one is, when pointed at. */
  label: string;
  colour: string;
}

export interface Panel {
  title: string;
  unit: string;
  series: readonly Series[];
  spans?: readonly Span[];
  /** Pixels, of the plot itself. */
  height?: number;
  /** Values that belong on the axis whatever is in view, such as 0. */
  include?: readonly number[];
  /** Names of whole values, from 0: quality levels. */
  names?: readonly string[];
}

/** Something that happened at a moment, drawn through all panels. */
export interface Moment {
  at: number;
  label: string;
}

export type Range = readonly [from: number, to: number];
