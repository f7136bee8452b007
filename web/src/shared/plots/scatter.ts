import { INK, seriesColour, type Scheme } from "#/shared/theme/palette";
import { quantity } from "#/shared/units/format";
import { named } from "./bars";
import type { Table } from "./csv";
import type { ChartOption } from "./echarts";
import { around, NAME_PX, placeFor, type Box } from "./labels";
import { DIAMOND, legend, legendHeight } from "./legend";
import { base, escape, hovered, tooltip, valueAxis } from "./style";

type Ends = readonly [number | null, number | null];

/** Of the axes, px. */
interface Plot {
  x: number;
  y: number;
  height: number;
}

export interface ScatterPoint {
  name: string;
  x: number;
  y: number;
  /** 95 % intervals. */
  xRange: Ends;
  yRange: Ends;
}

interface Axis {
  title: string;
  unit: string;
}

/** Means of two metrics; front: names of the points that no other beats in both, by x. */
export interface ScatterData {
  x: Axis;
  y: Axis;
  points: readonly ScatterPoint[];
  front: readonly string[];
}

const GROUPS = "groups";
const FRONT = "Pareto's front";
export const scatterNames = [GROUPS, FRONT] as const;
const RADIUS_PX = 6;
/** Of more, few have room for their names, and to look for it takes longer than a frame. */
const MOST_NAMED = 200;

/** A cross of two intervals for each point, its name, and a line through the front. */
export function scatterOption(data: ScatterData, scheme: Scheme, width: number): ChartOption {
  const { x, y, points, front } = data;
  const ink = INK[scheme];
  const colour = seriesColour(scheme, 0);
  const ahead = seriesColour(scheme, 1);
  const isAhead = new Set(front);
  // Where names have no room for all, the front's come first.
  const order = [...points].sort(
    (a, b) => Number(isAhead.has(b.name)) - Number(isAhead.has(a.name)),
  );
  const line = front.flatMap((name) => points.filter((point) => point.name === name));
  return {
    ...base(scheme),
    grid: {
      left: 8,
      right: 30,
      top: 26 + legendHeight(scatterNames, width),
      bottom: 24,
      outerBoundsMode: "same",
      outerBoundsContain: "axisLabel",
    },
    legend: legend(
      scheme,
      [
        { name: GROUPS, icon: "circle", itemStyle: { color: colour } },
        { name: FRONT, icon: DIAMOND, itemStyle: { color: ahead } },
      ],
      width,
    ),
    tooltip: {
      ...tooltip(scheme),
      trigger: "item",
      formatter: (item) => {
        const { value } = hovered(item);
        const point = points[value[2] ?? -1];
        if (point === undefined) return "";
        const ends = ([low, high]: Ends, unit: string): string =>
          low === null || high === null
            ? ""
            : ` [${quantity(low, unit)} … ${quantity(high, unit)}]`;
        return [
          `<b>${escape(point.name)}</b>`,
          `${escape(x.title)} ${quantity(point.x, x.unit)}${ends(point.xRange, x.unit)}`,
          `${escape(y.title)} ${quantity(point.y, y.unit)}${ends(point.yRange, y.unit)}`,
        ].join("<br>");
      },
    },
    xAxis: {
      ...valueAxis(scheme, x.unit),
      scale: true,
      name: x.title,
      nameLocation: "middle",
      nameGap: 28,
      nameTextStyle: { color: ink.dim, fontSize: 11 },
    },
    yAxis: { ...valueAxis(scheme, y.unit), ...named(y.title, scheme), scale: true },
    series: [
      {
        type: "custom",
        name: GROUPS,
        silent: true,
        color: colour,
        encode: { x: [0, 2, 3], y: [1, 4, 5] },
        data: order.map((point, index) => [
          point.x,
          point.y,
          point.xRange[0] ?? point.x,
          point.xRange[1] ?? point.x,
          point.yRange[0] ?? point.y,
          point.yRange[1] ?? point.y,
          index,
        ]),
        renderItem: ({ context, coordSys }, api) => {
          const value = (at: number): number => api.value(at) as number;
          const at = (left: number, up: number): [number, number] => {
            const [px = 0, py = 0] = api.coord([left, up]);
            return [px, py];
          };
          const name = order[value(6)]?.name ?? "";
          const middle = at(value(0), value(1));
          // Kept for as long as the picture is being drawn.
          const drawing = context as { taken?: Box[] };
          drawing.taken ??= points.map((point) => around(...at(point.x, point.y), RADIUS_PX));
          const plot = coordSys as unknown as Plot;
          const within = { left: plot.x, top: plot.y, right: width, bottom: plot.y + plot.height };
          const place =
            points.length > MOST_NAMED ? null : placeFor(name, middle, drawing.taken, within);
          if (place !== null) drawing.taken.push(place);
          const stroke = isAhead.has(name) ? ahead : colour;
          const segment = ([x1, y1]: [number, number], [x2, y2]: [number, number]) =>
            ({
              type: "line",
              shape: { x1, y1, x2, y2 },
              style: { stroke, lineWidth: 1.2, opacity: 0.7 },
            }) as const;
          return {
            type: "group",
            children: [
              segment(at(value(2), value(1)), at(value(3), value(1))),
              segment(at(value(0), value(4)), at(value(0), value(5))),
              ...(place === null
                ? []
                : [
                    {
                      type: "text" as const,
                      x: place.left,
                      y: place.top,
                      style: { text: name, fill: ink.text, fontSize: NAME_PX },
                    },
                  ]),
            ],
          };
        },
      },
      {
        type: "line",
        name: FRONT,
        color: ahead,
        symbol: "none",
        silent: true,
        lineStyle: { width: 1.4, type: [5, 4] },
        data: line.map((point) => [point.x, point.y]),
      },
      {
        type: "scatter",
        name: GROUPS,
        z: 5,
        data: points.map((point, index) => ({
          value: [point.x, point.y, index],
          ...(isAhead.has(point.name)
            ? { symbol: "diamond", symbolSize: 13, itemStyle: { color: ahead } }
            : { symbol: "circle", symbolSize: 10, itemStyle: { color: colour } }),
        })),
      },
    ],
  };
}

export function scatterTable({ x, y, points, front }: ScatterData): Table {
  return {
    columns: ["group", x.title, "ci_low", "ci_high", y.title, "ci_low", "ci_high", "front"],
    rows: points.map((point) => [
      point.name,
      point.x,
      ...point.xRange,
      point.y,
      ...point.yRange,
      front.includes(point.name) ? 1 : 0,
    ]),
  };
}
