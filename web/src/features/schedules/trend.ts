/** A metric of a combination night by night, as a plot. */
import type { Schema } from "#/api/client";
import type { Table } from "#/shared/plots/csv";
import type { ChartOption } from "#/shared/plots/echarts";
import { interval } from "#/shared/plots/marks/interval";
import { base, categoryAxis, escape, hovered, tooltip, valueAxis } from "#/shared/plots/style";
import { INK, SERIES_COLOURS, STATE_COLOURS, type Scheme } from "#/shared/theme/palette";
import { day } from "#/shared/time/format";
import { quantity } from "#/shared/units/format";

export type Trend = Schema<"TrendOut">;
type Point = Trend["points"][number];

const WORDS: Record<Point["mark"], string> = {
  "": "",
  better: "better from here on",
  worse: "worse from here on",
  higher: "higher from here on",
  lower: "lower from here on",
  kernel: "a new lab kernel changed it",
  weir: "a new Weir changed it",
};

function colourOf(mark: Point["mark"], scheme: Scheme): string {
  if (mark === "worse") return STATE_COLOURS[scheme].failed;
  if (mark === "better") return STATE_COLOURS[scheme].succeeded;
  return mark === "" ? (SERIES_COLOURS[scheme][0] ?? "") : STATE_COLOURS[scheme].invalid;
}

export function trendOption({ points, unit }: Trend, scheme: Scheme, width: number): ChartOption {
  const ranges = points.map(({ low, high }) =>
    low === null || high === null ? null : ([low, high] as const),
  );
  return {
    ...base(scheme),
    grid: { left: 8, right: 12, top: 16, bottom: 8, containLabel: true },
    tooltip: {
      ...tooltip(scheme),
      trigger: "item",
      formatter: (item) => {
        const point = points[hovered(item).value[0]];
        if (point === undefined) return "";
        const said = [WORDS[point.mark], point.verdict].filter((each) => each !== "").join(", ");
        return `${escape(day(point.at))}<br><b>${quantity(point.mean, unit)}</b> over ${String(point.n)}<br>${escape(said)}`;
      },
    },
    xAxis: categoryAxis(
      scheme,
      points.map(({ at }) => day(at)),
      width,
    ),
    yAxis: { ...valueAxis(scheme, unit), scale: true },
    series: [
      {
        type: "line",
        name: "mean",
        color: SERIES_COLOURS[scheme][0],
        symbol: "circle",
        showAllSymbol: true,
        // A line within each segment, and none across a change.
        lineStyle: { width: 1, opacity: 0.5 },
        data: points.map(({ mean, mark }, index) => ({
          value: [index, mean],
          symbolSize: mark === "" ? 6 : 12,
          symbol: mark === "" ? "circle" : "diamond",
          itemStyle: { color: colourOf(mark, scheme) },
        })),
      },
      interval("mean", ranges, INK[scheme].line, 0, 1),
    ],
  };
}

export function trendTable({ points }: Trend): Table {
  return {
    columns: ["at", "campaign", "n", "mean", "low", "high", "verdict", "mark", "kernel", "weir"],
    rows: points.map((point) => [
      ...[point.at, point.campaign, point.n, point.mean, point.low, point.high],
      ...[point.verdict, point.mark, point.kernel_hash, point.roles_hash],
    ]),
  };
}
