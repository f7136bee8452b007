/** Pixels of a stack: panels above each other, each under its title and legend. */
import { textWidth, wrapped } from "../wrap";
import type { Dash, Symbol } from "../series";
import type { Panel, Series } from "./panel";

export const LEFT = 72;
export const RIGHT = 14;
export const LINE = 20;
export const GAP = 12;
/** Below a header, for the upper half of the axis' highest label. */
const HALF_LABEL = 6;
const AXIS = 26;
const HEIGHT = 96;
/** Below this width legends begin at the left edge, not at the axis, and values stand in place of
 * names. */
const NARROW = 600;
/** As much of a line as shows its dash. */
export const SWATCH_PX = 24;
const BESIDE_SWATCH_PX = 5;
/** Room for the value under the pointer, so that nothing moves when it comes. */
const VALUE = 62;

export interface Slot {
  /** Of the plot itself. */
  top: number;
  height: number;
  /** Of its title and legend, above it. */
  header: number;
}

/** An entry of a legend: a series, or the spans that are called alike. */
export interface Entry {
  /** "panel-series"; null for spans, which stay. */
  id: string | null;
  name: string;
  /** null for spans. */
  series: Series | null;
  colour: string;
  look: { line: Dash } | { symbol: Symbol } | "span";
  width: number;
}

export function isNarrow(width: number): boolean {
  return width < NARROW;
}

/** width: of the stack, px. */
export function entriesOf(panel: Panel, index: number, width: number): Entry[] {
  const series = panel.series.flatMap((one, each): Entry[] => {
    const { name, colour, shape, dash, symbol, weight } = one;
    if (weight === "faint") return [];
    return [
      {
        id: `${index}-${each}`,
        name,
        series: one,
        colour,
        look: shape === "dots" ? { symbol: symbol ?? "circle" } : { line: dash ?? [] },
        width:
          SWATCH_PX +
          BESIDE_SWATCH_PX +
          (isNarrow(width) ? Math.max(textWidth(name), VALUE) : textWidth(name) + VALUE),
      },
    ];
  });
  const spans = new Map(
    panel.spans?.map(({ name, colour }): [string, Entry] => [
      `${name} ${colour}`,
      {
        id: null,
        name,
        series: null,
        colour,
        look: "span",
        width: SWATCH_PX + BESIDE_SWATCH_PX + textWidth(name),
      },
    ]),
  );
  return [...series, ...spans.values()];
}

export function headerLeft(width: number): number {
  return isNarrow(width) ? 0 : LEFT;
}

/** Lines of a panel's header: the title leads the first, null stands for it. */
export function headerLines(panel: Panel, entries: readonly Entry[], width: number) {
  const widths = [textWidth(titleOf(panel)), ...entries.map((entry) => entry.width)];
  return wrapped(widths, width - headerLeft(width), GAP).map((line) =>
    line.map((each) => (each === 0 ? null : (entries[each - 1] ?? null))),
  );
}

export function slotsOf(panels: readonly Panel[], width: number) {
  const slots: Slot[] = [];
  let top = 0;
  panels.forEach((panel, index) => {
    const { height = HEIGHT } = panel;
    const lines = headerLines(panel, entriesOf(panel, index, width), width).length;
    const header = LINE * lines + HALF_LABEL;
    slots.push({ top: top + header, height, header });
    top += header + height + 6;
  });
  return { slots, height: top + AXIS };
}

/** Whether a unit stands in the panel's title and not at each number of its axis. */
export function titled(unit: string): boolean {
  return !["", "s", "bit/s", "bytes", "%"].includes(unit);
}

export function titleOf({ title, unit }: Panel): string {
  return titled(unit) ? `${title}, ${unit}` : title;
}
