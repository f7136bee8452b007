/** Legends above plots: laid out before they are drawn, so that plots leave room for every entry. */
import { INK, type Scheme } from "#/shared/theme/palette";
import type { LegendComponentOption } from "./echarts";
import { broken, textWidth, wrapped } from "./wrap";

const ICON_PX = 22;
/** ECharts' own, between an icon and its name. */
const BESIDE_ICON_PX = 5;
const TEXT_PX = 14;
const BETWEEN_LINES_PX = 6;
const BETWEEN_ENTRIES_PX = 12;

/** ECharts' own would be stretched to the width of an icon. */
export const DIAMOND = "path://M0 -5L5 0L0 5L-5 0Z";

export interface Entry {
  name: string;
  icon: string;
  itemStyle: NonNullable<LegendComponentOption["itemStyle"]>;
}

interface Line {
  /** Of the entries. */
  indices: readonly number[];
  top: number;
  height: number;
}

function linesOf(name: string, width: number): string[] {
  return broken(name, width - ICON_PX - BESIDE_ICON_PX);
}

/** Which names stand beside each other within the width, px, and where. */
function laid(names: readonly string[], width: number): Line[] {
  const texts = names.map((name) => linesOf(name, width));
  const widths = texts.map((lines) => ICON_PX + BESIDE_ICON_PX + Math.max(...lines.map(textWidth)));
  let top = 0;
  return wrapped(widths, width, BETWEEN_ENTRIES_PX).map((indices) => {
    const height = TEXT_PX * Math.max(...indices.map((each) => texts[each]?.length ?? 0));
    const line = { indices, top, height };
    top += height + BETWEEN_LINES_PX;
    return line;
  });
}

/** The pixels that a legend takes above a chart of this width; 0 where one name needs none. */
export function legendHeight(names: readonly string[], width: number): number {
  const last = names.length < 2 ? undefined : laid(names, width).at(-1);
  return last === undefined ? 0 : last.top + last.height + BETWEEN_LINES_PX;
}

/** A legend for each line: ECharts breaks lines by widths of its own, 26 px apart. */
export function legend(
  scheme: Scheme,
  entries: readonly Entry[],
  width: number,
): LegendComponentOption[] {
  if (entries.length < 2) return [{ show: false }];
  const names = entries.map(({ name }) => name);
  return laid(names, width).map(({ indices, top }) => ({
    data: indices.flatMap((each) => entries[each] ?? []),
    formatter: (name) => linesOf(name, width).join("\n"),
    top,
    left: 0,
    padding: 0,
    itemGap: BETWEEN_ENTRIES_PX,
    itemWidth: ICON_PX,
    itemHeight: 10,
    textStyle: { color: INK[scheme].text, fontSize: 12, lineHeight: TEXT_PX },
  }));
}
