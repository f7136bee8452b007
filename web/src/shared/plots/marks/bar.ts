import type { CustomSeriesOption } from "echarts/charts";
import { place } from "../dodge";

/** Bars from zero. means: one per category, null draws none. */
export function bar(
  name: string,
  means: readonly (number | null)[],
  colour: string,
  series: number,
  of: number,
): CustomSeriesOption {
  return {
    type: "custom",
    name,
    color: colour,
    data: means.flatMap((mean, category) => (mean === null ? [] : [[category, mean]])),
    renderItem: (_, api) => {
      const mean = api.value(1) as number;
      const { centre, width, y } = place(api, api.value(0) as number, series, of);
      const inner = width * 0.88;
      const zero = y(0);
      return {
        type: "rect",
        shape: {
          x: centre - inner / 2,
          y: Math.min(y(mean), zero),
          width: inner,
          height: Math.abs(zero - y(mean)),
          r: 2,
        },
        style: { fill: colour, opacity: 0.88 },
      };
    },
  };
}
