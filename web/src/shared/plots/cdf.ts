import { INK, type Scheme } from "#/shared/theme/palette";
import { named } from "./bars";
import type { ValuesData } from "./boxes";
import type { ChartOption } from "./echarts";
import { legend, legendHeight } from "./legend";
import { steps, stepsStyle } from "./marks/steps";
import { seriesLook } from "./series";
import { base, tooltip, valueAxis } from "./style";

function linesOf({ categories, series }: ValuesData) {
  return series.flatMap(({ name, cells }) =>
    categories.map((category, row) => ({
      name: [category, name].filter((each) => each !== "").join(" · "),
      values: cells[row] ?? [],
    })),
  );
}

/** What the legend names, in its order. */
export function cdfNames(data: ValuesData): string[] {
  return linesOf(data).map(({ name }) => name);
}

/** Distribution functions, one per category and series. */
export function cdfOption(data: ValuesData, scheme: Scheme, width: number): ChartOption {
  const { metric, unit } = data;
  const lines = linesOf(data);
  const names = lines.map(({ name }) => name);
  return {
    ...base(scheme),
    grid: {
      left: 8,
      right: 20,
      top: 28 + legendHeight(names, width),
      bottom: 26,
      outerBoundsMode: "same",
      outerBoundsContain: "axisLabel",
    },
    legend: legend(
      scheme,
      names.map((name, index) => ({
        name,
        icon: "line",
        itemStyle: stepsStyle(seriesLook(scheme, index)),
      })),
      width,
    ),
    tooltip: { ...tooltip(scheme), trigger: "item" },
    xAxis: {
      ...valueAxis(scheme, unit),
      scale: true,
      name: metric,
      nameLocation: "middle",
      nameGap: 28,
      nameTextStyle: { color: INK[scheme].dim, fontSize: 11 },
      axisLine: { show: true, lineStyle: { color: INK[scheme].line } },
    },
    yAxis: { ...valueAxis(scheme, ""), ...named("share of values", scheme), min: 0, max: 1 },
    series: lines.map(({ name, values }, index) => steps(name, values, seriesLook(scheme, index))),
  };
}
