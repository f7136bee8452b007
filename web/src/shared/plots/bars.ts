import { INK, type Scheme } from "#/shared/theme/palette";
import { counted, type Counted } from "#/shared/metrics/counted";
import { quantity } from "#/shared/units/format";
import type { Table } from "./csv";
import type { ChartOption } from "./echarts";
import { DIAMOND, legend, legendHeight } from "./legend";
import { bracketsOf, tallest, type Contrast } from "./contrasts";
import { bar, barStyle } from "./marks/bar";
import { brackets } from "./marks/bracket";
import { diamond } from "./marks/diamond";
import { interval } from "./marks/interval";
import { seriesLook } from "./series";
import { base, categoryAxis, escape, hovered, tooltip, valueAxis } from "./style";

/** A mean with its confidence interval over n values, of so many distinct runs; paper: what a paper
 * gives for it. */
export interface Mean extends Counted {
  mean: number;
  ciLow: number | null;
  ciHigh: number | null;
  paper?: number | null;
}

/** One bar per category (rows of a pivot) and series (its columns). */
export interface BarsData {
  metric: string;
  unit: string;
  categories: readonly string[];
  series: readonly { name: string; cells: readonly (Mean | null)[] }[];
  /** Bars that differ beyond chance from another one. */
  contrasts?: readonly Contrast[];
}

const PAPER = "paper";
const CONTRASTS = "differences";
/** Of the axis, for a bracket: a plot is some fifteen of them high. */
const HEADROOM_PER_BRACKET = 0.075;

function hasPaper({ series }: BarsData): boolean {
  return series.some(({ cells }) => cells.some((cell) => cell?.paper != null));
}

/** What the legend names, in its order. */
export function barsNames(data: BarsData): string[] {
  return [...data.series.map(({ name }) => name), ...(hasPaper(data) ? [PAPER] : [])];
}

export function barsOption(data: BarsData, scheme: Scheme, width: number): ChartOption {
  const { metric, unit, categories, series } = data;
  const ink = INK[scheme];
  const of = series.length;
  const paper = hasPaper(data);
  const looks = series.map((_, index) => seriesLook(scheme, index));
  const marks = series.flatMap(({ name, cells }, index) => [
    bar(
      name,
      cells.map((cell) => cell?.mean ?? null),
      looks[index] ?? seriesLook(scheme, index),
      index,
      of,
    ),
    interval(
      name,
      cells.map((cell) =>
        cell?.ciLow != null && cell.ciHigh != null ? [cell.ciLow, cell.ciHigh] : null,
      ),
      ink.text,
      index,
      of,
    ),
    ...(paper
      ? [
          diamond(
            PAPER,
            cells.map((cell) => cell?.paper ?? null),
            { fill: ink.ground, stroke: ink.text },
            index,
            of,
          ),
        ]
      : []),
  ]);
  const contrasts = data.contrasts ?? [];
  const found = bracketsOf(data, contrasts, scheme);
  if (found.length > 0) marks.push(brackets(CONTRASTS, found, ink.line, of));
  return {
    ...base(scheme),
    grid: {
      left: 8,
      right: 12,
      top: 26 + legendHeight(barsNames(data), width),
      bottom: 8,
      outerBoundsMode: "same",
      outerBoundsContain: "axisLabel",
    },
    legend: legend(
      scheme,
      [
        ...series.map(({ name }, index) => ({
          name,
          icon: "roundRect",
          itemStyle: barStyle(looks[index] ?? seriesLook(scheme, index)),
        })),
        ...(paper
          ? [
              {
                name: PAPER,
                icon: DIAMOND,
                itemStyle: { borderColor: ink.text, borderWidth: 1.5 },
              },
            ]
          : []),
      ],
      width,
    ),
    tooltip: {
      ...tooltip(scheme),
      trigger: "item",
      formatter: (item) => {
        const { seriesName, value } = hovered(item);
        if (seriesName === CONTRASTS) return said(contrasts[value[2] ?? -1]);
        const category = categories[value[0]] ?? "";
        const cell = series.find(({ name }) => name === seriesName)?.cells[value[0]];
        const range =
          cell?.ciLow != null && cell.ciHigh != null
            ? ` [${quantity(cell.ciLow, unit)} … ${quantity(cell.ciHigh, unit)}]`
            : "";
        const over = cell ? `, ${counted(cell)}` : "";
        const own = contrasts.filter(
          ({ to: [at, column] }) => at === value[0] && series[column]?.name === seriesName,
        );
        return [
          `${escape(category)} · ${escape(seriesName)}`,
          `<b>${quantity(value[1], unit)}</b>${range}${over}`,
          ...own.map(said),
        ].join("<br>");
      },
    },
    xAxis: categoryAxis(scheme, categories, width),
    yAxis: {
      ...valueAxis(scheme, unit),
      ...named(metric, scheme),
      boundaryGap: [0, HEADROOM_PER_BRACKET * tallest(found)],
    },
    series: marks,
  };
}

/** A contrast on a few lines of a tooltip. */
function said(contrast: Contrast | undefined): string {
  return `<span style="white-space:normal">${escape(contrast?.text ?? "")}</span>`;
}

/** An axis' name, level and above it. */
export function named(name: string, scheme: Scheme) {
  return {
    name,
    nameLocation: "end" as const,
    nameTextStyle: { color: INK[scheme].dim, align: "left" as const, fontSize: 11 },
    nameGap: 10,
  };
}

const paperOf = ({ paper }: Mean): number | null => paper ?? null;

export function barsTable({ categories, series }: BarsData): Table {
  return {
    columns: ["category", "series", "mean", "ci_low", "ci_high", "n", "distinct", "paper"],
    rows: categories.flatMap((category, row) =>
      series.flatMap(({ name, cells }) => {
        const cell = cells[row];
        return cell
          ? [
              [
                category,
                name,
                cell.mean,
                cell.ciLow,
                cell.ciHigh,
                cell.n,
                cell.distinct,
                paperOf(cell),
              ],
            ]
          : [];
      }),
    ),
  };
}
