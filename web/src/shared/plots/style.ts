/** What all plots look like, in either scheme. */
import { INK, type Scheme } from "#/shared/theme/palette";
import { quantity } from "#/shared/units/format";
import type { ChartOption } from "./echarts";
import { textWidth } from "./wrap";

const FONT = "'Inter Variable', system-ui, sans-serif";

/** Ground, text and no animation: a measured number should not move. */
export function base(scheme: Scheme): ChartOption {
  return {
    animation: false,
    backgroundColor: "transparent",
    textStyle: { fontFamily: FONT, fontSize: 12, color: INK[scheme].text },
  };
}

/** An axis of numbers in a unit. */
export function valueAxis(scheme: Scheme, unit: string) {
  const ink = INK[scheme];
  return {
    type: "value" as const,
    axisLabel: {
      color: ink.dim,
      fontSize: 11,
      hideOverlap: true,
      formatter: (value: number) => quantity(value, unit),
    },
    axisLine: { show: false },
    axisTick: { show: false },
    splitLine: { lineStyle: { color: ink.grid } },
  };
}

const BESIDE_NAMES_PX = 100;
const BETWEEN_NAMES_PX = 14;
/** Of a tilted line of 12 px with the space to the next. */
const TILTED_PX = 20;

/** An axis of names, tilted where a chart of this width has no room for them, as on a phone. */
export function categoryAxis(scheme: Scheme, names: readonly string[], width: number) {
  const ink = INK[scheme];
  const longest = Math.max(0, ...names.map(textWidth));
  const fits = BESIDE_NAMES_PX + names.length * (longest + BETWEEN_NAMES_PX) <= width;
  const tilted = Math.max(1, (width - BESIDE_NAMES_PX) / TILTED_PX);
  return {
    type: "category" as const,
    data: [...names],
    axisLabel: {
      color: ink.text,
      fontSize: 12,
      // Where they do not even fit tilted, some; the tooltip names every one.
      interval: fits ? 0 : Math.ceil(names.length / tilted) - 1,
      rotate: fits ? 0 : 50,
      hideOverlap: true,
    },
    axisLine: { lineStyle: { color: ink.line } },
    axisTick: { show: false },
  };
}

export function tooltip(scheme: Scheme) {
  const ink = INK[scheme];
  return {
    confine: true,
    backgroundColor: ink.ground,
    borderColor: ink.grid,
    textStyle: { color: ink.text, fontSize: 12, fontFamily: FONT },
    extraCssText: "box-shadow: 0 2px 10px rgb(0 0 0 / 18%)",
  };
}

/** Text of users and of campaigns goes into tooltips as HTML. */
export function escape(text: string): string {
  return text.replace(
    /[&<>"']/g,
    (sign) =>
      ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[sign] ?? sign,
  );
}

/** What a tooltip is asked about: ECharts' types leave the value open. */
export function hovered(item: unknown): { seriesName: string; value: [number, ...number[]] } {
  return item as { seriesName: string; value: [number, ...number[]] };
}
