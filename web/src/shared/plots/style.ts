/** What all plots look like, in either scheme. */
import { INK, type Scheme } from "#/shared/theme/palette";
import { quantity } from "#/shared/units/format";
import type { ChartOption } from "./echarts";

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

/** An axis of names. */
export function categoryAxis(scheme: Scheme, names: readonly string[]) {
  const ink = INK[scheme];
  return {
    type: "category" as const,
    data: [...names],
    axisLabel: {
      color: ink.text,
      fontSize: 12,
      interval: 0,
      // Where they do not even fit tilted; the tooltip names every one.
      hideOverlap: true,
    },
    axisLine: { lineStyle: { color: ink.line } },
    axisTick: { show: false },
  };
}

const LETTER_PX = 7;
const BESIDE_NAMES_PX = 100;

/** Where an axis of names is too short for them, as on a phone, they are tilted. */
export function tilting(names: readonly string[]): ChartOption["media"] {
  const longest = Math.max(0, ...names.map((name) => name.length));
  const fits = BESIDE_NAMES_PX + names.length * (longest + 2) * LETTER_PX;
  const label = (rotate: number) => ({ xAxis: { axisLabel: { rotate } } });
  return [{ query: { maxWidth: fits }, option: label(50) }, { option: label(0) }];
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

interface Entry {
  name: string;
  icon: string;
  itemStyle: { borderColor: string; borderWidth: number };
}

export function legend(scheme: Scheme, names: readonly (string | Entry)[]) {
  return {
    show: names.length > 1,
    data: [...names],
    top: 0,
    left: 0,
    itemWidth: 12,
    itemHeight: 10,
    icon: "roundRect",
    textStyle: { color: INK[scheme].text, fontSize: 12 },
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
