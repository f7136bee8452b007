import type { CustomSeriesOption, LineSeriesOption } from "echarts/charts";
import { INK, type Scheme } from "#/shared/theme/palette";
import { number, quantity } from "#/shared/units/format";
import type { ChartOption } from "../echarts";
import { dots } from "../marks/dots";
import { base, valueAxis } from "../style";
import { LEFT, RIGHT, slotsOf, titled } from "./layout";
import type { Moment, Panel, Range, Series } from "./panel";
import { thin, thinDots } from "./thin";
import { within } from "./window";

export interface View {
  range: Range;
  /** Of the whole stack, in pixels. */
  width: number;
  scheme: Scheme;
}

const STROKES = {
  faint: { width: 1, opacity: 0.4 },
  plain: { width: 1.3 },
  bold: { width: 2.4 },
} as const;
/** Many lie below those that are named. */
const LAYERS = { faint: 2, plain: 3, bold: 4 } as const;

/** Nearer than this one covers the other: they are 4 or 6 px wide. */
const DOT_APART_PX = 2;

type Drawn = LineSeriesOption | CustomSeriesOption;

/** With a gap after each, so that no line leads from one to the next. */
function joined(lines: readonly Float64Array[]): Float64Array {
  const out = new Float64Array(lines.reduce((sum, line) => sum + line.length + 2, 0));
  let at = 0;
  for (const line of lines) {
    out.set(line, at);
    out.fill(NaN, at + line.length, at + line.length + 2);
    at += line.length + 2;
  }
  return out;
}

/** [t, y, t, y, ...]: ECharts takes it for lines, too, though its types do not say so. */
function points(series: Series, view: View, rows: number): Float64Array {
  if (series.parts !== undefined)
    return joined(
      series.parts.map(({ t, y }) => points({ ...series, t, y, parts: undefined }, view, rows)),
    );
  const columns = Math.max(1, Math.round(view.width - LEFT - RIGHT));
  const [first, end] = within(series.t, view.range);
  return series.shape === "dots"
    ? thinDots(
        series.t,
        series.y,
        [first, end],
        view.range,
        Math.ceil(columns / DOT_APART_PX),
        Math.ceil(rows / DOT_APART_PX),
      )
    : thin(series.t, series.y, [first, end], view.range, columns);
}

function marked(panel: Panel, index: number, moments: readonly Moment[], scheme: Scheme): Drawn {
  return {
    id: `marks-${index}`,
    type: "line",
    xAxisIndex: index,
    yAxisIndex: index,
    data: [],
    silent: true,
    markArea: {
      silent: true,
      data: [
        ...(panel.spans ?? []).map(({ from, to, colour }): [object, object] => [
          { xAxis: from, itemStyle: { color: colour, opacity: 0.28 } },
          { xAxis: to },
        ]),
        // A moment is an area without width: its border is the line.
        ...moments.map(({ at }): [object, object] => [
          {
            xAxis: at,
            itemStyle: { borderColor: INK[scheme].line, borderWidth: 1, borderType: [3, 3] },
          },
          { xAxis: at },
        ]),
      ],
    },
  };
}

/** What changes with every step of a zoom: the ends of the axes and the samples between them. */
export function zoomed(
  panels: readonly Panel[],
  view: View,
): Pick<ChartOption, "xAxis" | "series"> {
  const { slots } = slotsOf(panels, view.width);
  const [min, max] = view.range;
  return {
    xAxis: panels.map(() => ({ min, max })),
    series: panels.flatMap((panel, index) =>
      panel.series.map((series, each): Drawn => {
        const drawn = points(series, view, slots[index]?.height ?? 0);
        return {
          id: `${index}-${each}`,
          dimensions: ["t", "y"],
          ...(series.shape === "dots"
            ? { type: "custom", ...dots(drawn, series.colour, series.symbol) }
            : { type: "line", data: drawn }),
        } as Drawn;
      }),
    ),
  };
}

/** The whole picture. hidden: indices "panel-series" that are not drawn. */
export function stackOption(
  panels: readonly Panel[],
  moments: readonly Moment[],
  view: View,
  hidden: ReadonlySet<string>,
): ChartOption {
  const { scheme, range } = view;
  const ink = INK[scheme];
  const { slots } = slotsOf(panels, view.width);
  const inView = new Map((zoomed(panels, view).series as Drawn[]).map((each) => [each.id, each]));
  return {
    ...base(scheme),
    // Without outer bounds every panel begins at the same pixel, however long its labels are.
    grid: slots.map(({ top, height }) => ({
      top,
      height,
      left: LEFT,
      right: RIGHT,
      outerBoundsMode: "none",
    })),
    xAxis: panels.map((_, index) => ({
      type: "value",
      gridIndex: index,
      min: range[0],
      max: range[1],
      axisLabel: {
        show: index === panels.length - 1,
        color: ink.dim,
        fontSize: 11,
        hideOverlap: true,
        showMinLabel: true,
        formatter: (value: number) => `${number(value, 6)} s`,
      },
      axisLine: { show: true, onZero: false, lineStyle: { color: ink.line } },
      axisTick: { show: false },
      splitLine: { show: true, lineStyle: { color: ink.grid } },
    })),
    yAxis: panels.map((panel, index) => ({
      ...valueAxis(scheme, panel.unit),
      gridIndex: index,
      scale: true,
      splitNumber: 3,
      min: ({ min }: { min: number }) => lowest(panel, min),
      max: ({ max }: { max: number }) => highest(panel, max),
      ...(panel.names === undefined ? {} : { minInterval: 1 }),
      axisLabel: {
        color: ink.dim,
        fontSize: 11,
        hideOverlap: true,
        formatter: (value: number) => panel.names?.[value] ?? axisText(value, panel.unit),
      },
    })),
    series: panels.flatMap((panel, index) => [
      marked(panel, index, moments, scheme),
      ...panel.series.map((series, each): Drawn => {
        const id = `${index}-${each}`;
        const { weight = "plain", dash = [] } = series;
        return {
          ...inView.get(id),
          ...(hidden.has(id) ? { data: [] } : {}),
          name: series.name,
          xAxisIndex: index,
          yAxisIndex: index,
          color: series.colour,
          silent: true,
          ...(series.shape === "dots"
            ? { clip: true }
            : {
                showSymbol: false,
                ...(series.shape === "step" ? { step: "end" } : {}),
                z: LAYERS[weight],
                lineStyle: { ...STROKES[weight], type: [...dash] },
              }),
        };
      }),
    ]),
  };
}

/** Units without prefixes stand in the panel's title. */
function axisText(value: number, unit: string): string {
  return titled(unit) ? number(value, 4) : quantity(value, unit);
}

function lowest({ include = [] }: Panel, min: number): number | undefined {
  const least = Math.min(...include);
  return least <= min || !Number.isFinite(min) ? finite(least) : undefined;
}

function highest({ include = [] }: Panel, max: number): number | undefined {
  const most = Math.max(...include);
  return most >= max || !Number.isFinite(max) ? finite(most) : undefined;
}

function finite(value: number): number | undefined {
  return Number.isFinite(value) ? value : undefined;
}
