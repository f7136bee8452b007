import type { Scheme } from "#/shared/theme/palette";
import { quantity } from "#/shared/units/format";
import { named } from "./bars";
import type { Table } from "./csv";
import type { ChartOption } from "./echarts";
import { legend, legendHeight } from "./legend";
import { box, boxStyle } from "./marks/box";
import { runAt, strip } from "./marks/strip";
import { seriesLook } from "./series";
import { base, categoryAxis, escape, hovered, tooltip, valueAxis } from "./style";
import { fiveNumbers } from "./summary";

/** All values of each category and series, and the run of each. */
export interface ValuesData {
  metric: string;
  unit: string;
  categories: readonly string[];
  series: readonly {
    name: string;
    cells: readonly (readonly number[])[];
    runs: readonly (readonly number[])[];
  }[];
}

/** Above so many dots a strip is a blot and the boxes say more. */
const MOST_DOTS = 5_000;

/** Boxes with every value as a dot over them. */
export function boxesOption(
  { metric, unit, categories, series }: ValuesData,
  scheme: Scheme,
  width: number,
): ChartOption {
  const names = series.map(({ name }) => name);
  const of = series.length;
  const dots = series.reduce((sum, { cells }) => sum + cells.flat().length, 0);
  return {
    ...base(scheme),
    grid: {
      left: 8,
      right: 12,
      top: 26 + legendHeight(names, width),
      bottom: 8,
      outerBoundsMode: "same",
      outerBoundsContain: "axisLabel",
    },
    legend: legend(
      scheme,
      names.map((name, index) => ({
        name,
        icon: "roundRect",
        itemStyle: boxStyle(seriesLook(scheme, index)),
      })),
      width,
    ),
    tooltip: {
      ...tooltip(scheme),
      trigger: "item",
      formatter: (item) => {
        const { seriesName, value } = hovered(item);
        const [category, low, lower, median, upper, high] = value;
        const run = runAt(value);
        if (run !== null)
          return `${escape(categories[category] ?? "")} · ${escape(seriesName)}<br>run ${run}: <b>${quantity(low, unit)}</b>`;
        const line = (name: string, each: number | undefined): string =>
          `${name} ${quantity(each, unit)}`;
        return [
          `${escape(categories[category] ?? "")} · ${escape(seriesName)}`,
          `<b>${line("median", median)}</b>`,
          `${line("quartiles", lower)} … ${quantity(upper, unit)}`,
          `${line("whiskers", low)} … ${quantity(high, unit)}`,
        ].join("<br>");
      },
    },
    xAxis: categoryAxis(scheme, categories, width),
    yAxis: { ...valueAxis(scheme, unit), ...named(metric, scheme), scale: true },
    series: series.flatMap(({ name, cells, runs }, index) => {
      const look = seriesLook(scheme, index);
      return [
        box(name, cells.map(fiveNumbers), look, index, of),
        ...(dots <= MOST_DOTS ? [strip(name, cells, runs, look.colour, index, of)] : []),
      ];
    }),
  };
}

export function valuesTable({ categories, series }: ValuesData): Table {
  return {
    columns: ["category", "series", "value"],
    rows: categories.flatMap((category, row) =>
      series.flatMap(({ name, cells }) =>
        (cells[row] ?? []).map((value) => [category, name, value]),
      ),
    ),
  };
}
