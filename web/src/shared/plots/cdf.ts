import { INK, seriesColour, type Scheme } from "#/shared/theme/palette";
import { named } from "./bars";
import type { ValuesData } from "./boxes";
import type { ChartOption } from "./echarts";
import { steps } from "./marks/steps";
import { base, legend, tooltip, valueAxis } from "./style";

/** Distribution functions, one per category and series. */
export function cdfOption(
  { metric, unit, categories, series }: ValuesData,
  scheme: Scheme,
): ChartOption {
  const lines = series.flatMap(({ name, cells }) =>
    categories.map((category, row) => ({
      name: [category, name].filter((each) => each !== "").join(" · "),
      values: cells[row] ?? [],
    })),
  );
  return {
    ...base(scheme),
    grid: { left: 8, right: 20, top: lines.length > 1 ? 48 : 28, bottom: 26, containLabel: true },
    legend: legend(
      scheme,
      lines.map(({ name }) => name),
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
    series: lines.map(({ name, values }, index) =>
      steps(name, values, seriesColour(scheme, index)),
    ),
  };
}
