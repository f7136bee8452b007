import type { CustomSeriesOption } from "echarts/charts";
import { place } from "../dodge";

/** Whiskers from low to high. ranges: [low, high] per category, null draws none. */
export function interval(
  name: string,
  ranges: readonly (readonly [number, number] | null)[],
  colour: string,
  series: number,
  of: number,
): CustomSeriesOption {
  return {
    type: "custom",
    name,
    silent: true,
    z: 4,
    color: colour,
    encode: { x: 0, y: [1, 2] },
    data: ranges.flatMap((range, category) => (range === null ? [] : [[category, ...range]])),
    renderItem: (_, api) => {
      const { centre, width, y } = place(api, api.value(0) as number, series, of);
      const low = y(api.value(1) as number);
      const high = y(api.value(2) as number);
      const half = Math.min(7, width / 5);
      const style = { stroke: colour, lineWidth: 1.4, fill: "none" };
      const line = (x1: number, y1: number, x2: number, y2: number) =>
        ({ type: "line", shape: { x1, y1, x2, y2 }, style }) as const;
      return {
        type: "group",
        children: [
          line(centre, low, centre, high),
          line(centre - half, low, centre + half, low),
          line(centre - half, high, centre + half, high),
        ],
      };
    },
  };
}
