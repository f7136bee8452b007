import type { CustomSeriesOption } from "echarts/charts";
import { place } from "../dodge";
import type { SeriesLook } from "../series";
import type { FiveNumbers } from "../summary";

/** As the legend shows it. */
export function boxStyle({ colour, dash = [] }: SeriesLook) {
  return {
    color: colour.concat("38"),
    borderColor: colour,
    borderWidth: 1.4,
    borderType: [...dash],
  };
}

/** Boxes from the lower to the upper quartile, the median across, whiskers after Tukey. */
export function box(
  name: string,
  summaries: readonly (FiveNumbers | null)[],
  look: SeriesLook,
  series: number,
  of: number,
): CustomSeriesOption {
  const { colour, dash = [] } = look;
  return {
    type: "custom",
    name,
    color: colour,
    encode: { x: 0, y: [1, 2, 3, 4, 5] },
    data: summaries.flatMap((found, category) =>
      found === null
        ? []
        : [[category, found.low, found.lower, found.median, found.upper, found.high]],
    ),
    renderItem: (_, api) => {
      const { centre, width, y } = place(api, api.value(0) as number, series, of);
      const [low, lower, median, upper, high] = [1, 2, 3, 4, 5].map((each) =>
        y(api.value(each) as number),
      ) as [number, number, number, number, number];
      const half = Math.min(26, width * 0.36);
      const style = { stroke: colour, lineWidth: 1.4, fill: "none" };
      const line = (x1: number, y1: number, x2: number, y2: number, lineWidth = 1.4) =>
        ({ type: "line", shape: { x1, y1, x2, y2 }, style: { ...style, lineWidth } }) as const;
      return {
        type: "group",
        children: [
          line(centre, low, centre, lower),
          line(centre, upper, centre, high),
          line(centre - half / 2, low, centre + half / 2, low),
          line(centre - half / 2, high, centre + half / 2, high),
          {
            type: "rect",
            shape: { x: centre - half, y: upper, width: 2 * half, height: lower - upper, r: 2 },
            style: {
              fill: colour,
              fillOpacity: 0.22,
              stroke: colour,
              lineWidth: 1.4,
              lineDash: [...dash],
            },
          },
          line(centre - half, median, centre + half, median, 2.6),
        ],
      };
    },
  };
}
