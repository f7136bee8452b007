/** A metric of a combination night by night, as a plot. */
import type { Schema } from "#/api/client";
import type { Table } from "#/shared/plots/csv";
import type { ChartOption } from "#/shared/plots/echarts";
import { interval } from "#/shared/plots/marks/interval";
import { RULE_LABEL_PX, rules } from "#/shared/plots/marks/rule";
import { base, categoryAxis, escape, hovered, tooltip, valueAxis } from "#/shared/plots/style";
import { INK, SERIES_COLOURS, STATE_COLOURS, type Scheme } from "#/shared/theme/palette";
import { day, minute } from "#/shared/time/format";
import { versionsText } from "#/shared/ui/versions";
import { quantity } from "#/shared/units/format";

export type Trend = Schema<"TrendOut">;
export type TrendPoint = Trend["points"][number];

/** What begins with a night. */
export const BEGINS: Record<TrendPoint["mark"], string> = {
  "": "",
  better: "better from here on",
  worse: "worse from here on",
  higher: "higher from here on",
  lower: "lower from here on",
  kernel: "a new lab kernel changed it",
  weir: "a new Weir changed it",
};

function colourOf(mark: TrendPoint["mark"], scheme: Scheme): string {
  if (mark === "worse") return STATE_COLOURS[scheme].failed;
  if (mark === "better") return STATE_COLOURS[scheme].succeeded;
  if (mark === "higher" || mark === "lower") return STATE_COLOURS[scheme].running;
  return mark === "" ? (SERIES_COLOURS[scheme][0] ?? "") : INK[scheme].dim;
}

/** Days, and the time beside them where a day has more than one. */
export function nightNames(points: readonly TrendPoint[]): string[] {
  const days = points.map(({ at }) => day(at));
  return new Set(days).size === days.length ? days : points.map(({ at }) => minute(at));
}

function told(point: TrendPoint, unit: string): string {
  const { low, high, mean, n, mark, verdict, subjects } = point;
  const range =
    low === null || high === null
      ? ""
      : ` (95 %: ${quantity(low, unit)} to ${quantity(high, unit)})`;
  const said = [BEGINS[mark], verdict && `beside its baseline: ${verdict}`];
  const lines = [
    escape(minute(point.at)),
    `<b>${quantity(mean, unit)}</b>${range}, mean of ${String(n)}`,
    ...[...said, versionsText(subjects)].filter((each) => each !== "").map(escape),
  ];
  return lines.join("<br>");
}

export function trendOption({ points, unit }: Trend, scheme: Scheme, width: number): ChartOption {
  const ranges = points.map(({ low, high }) =>
    low === null || high === null ? null : ([low, high] as const),
  );
  const begun = points.flatMap(({ mark }, category) =>
    mark === "" ? [] : [{ category, label: mark, colour: colourOf(mark, scheme) }],
  );
  return {
    ...base(scheme),
    grid: {
      left: 8,
      right: 12,
      top: 8 + RULE_LABEL_PX,
      bottom: 8,
      outerBoundsMode: "same",
      outerBoundsContain: "axisLabel",
    },
    tooltip: {
      ...tooltip(scheme),
      trigger: "item",
      formatter: (item) => {
        const point = points[hovered(item).value[0]];
        return point === undefined ? "" : told(point, unit);
      },
    },
    xAxis: categoryAxis(scheme, nightNames(points), width),
    yAxis: { ...valueAxis(scheme, unit), scale: true },
    series: [
      rules("change", begun),
      {
        type: "line",
        name: "mean",
        color: SERIES_COLOURS[scheme][0],
        symbol: "circle",
        showAllSymbol: true,
        lineStyle: { width: 1, opacity: 0.5 },
        data: points.flatMap(({ mean, mark }, index) => {
          const point = {
            value: [index, mean],
            symbolSize: mark === "" ? 6 : 12,
            symbol: mark === "" ? "circle" : "diamond",
            itemStyle: { color: colourOf(mark, scheme) },
          };
          // A line within each segment, and none across a change.
          return mark === "" ? [point] : [{ value: [index, NaN] }, point];
        }),
      },
      interval("mean", ranges, INK[scheme].line, 0, 1),
    ],
  };
}

export function trendTable({ points }: Trend): Table {
  return {
    columns: [
      ...["at", "campaign", "n", "mean", "low", "high", "verdict", "mark", "versions"],
      ...["kernel", "weir"],
    ],
    rows: points.map((point) => [
      ...[point.at, point.campaign, point.n, point.mean, point.low, point.high],
      ...[point.verdict, point.mark, versionsText(point.subjects)],
      ...[point.kernel_hash, point.roles_hash],
    ]),
  };
}
