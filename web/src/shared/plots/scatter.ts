import { INK, seriesColour, type Scheme } from "#/shared/theme/palette";
import { quantity } from "#/shared/units/format";
import { named } from "./bars";
import type { Table } from "./csv";
import type { ChartOption } from "./echarts";
import { legend, legendHeight } from "./legend";
import { base, escape, hovered, tooltip, valueAxis } from "./style";

type Ends = readonly [number | null, number | null];

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
/** Above so many names over points are a blot; the tooltip has every one. */
const MOST_NAMED = 24;
/** From this share of the width on, names stand at their points' left. */
const RIGHT_SIDE = 0.7;

/** A cross of two intervals for each point, its name, and a line through the front. */
export function scatterOption(data: ScatterData, scheme: Scheme, width: number): ChartOption {
  const { x, y, points, front } = data;
  const ink = INK[scheme];
  const colour = seriesColour(scheme, 0);
  const ahead = seriesColour(scheme, 1);
  const isAhead = new Set(front);
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
        { name: FRONT, icon: "diamond", itemStyle: { color: ahead } },
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
        data: points.map((point, index) => [
          point.x,
          point.y,
          point.xRange[0] ?? point.x,
          point.xRange[1] ?? point.x,
          point.yRange[0] ?? point.y,
          point.yRange[1] ?? point.y,
          index,
        ]),
        renderItem: (_, api) => {
          const value = (at: number): number => api.value(at) as number;
          const at = (left: number, up: number): [number, number] => {
            const [px = 0, py = 0] = api.coord([left, up]);
            return [px, py];
          };
          const name = points[value(6)]?.name ?? "";
          const [left, up] = at(value(0), value(1));
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
              {
                type: "text",
                // Inside the picture, and apart from a neighbour's.
                x: left > width * RIGHT_SIDE ? left - 9 : left + 9,
                y: value(6) % 2 === 0 ? up - 15 : up + 5,
                style: {
                  text: points.length <= MOST_NAMED ? name : "",
                  fill: ink.text,
                  fontSize: 11,
                  align: left > width * RIGHT_SIDE ? "right" : "left",
                },
              },
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
