import type { CustomSeriesOption } from "echarts/charts";
import { place } from "../dodge";
import type { SeriesLook } from "../series";

/** Filled, or outlined where the colour is another series' already. */
export function barStyle({ colour, dash }: SeriesLook) {
  return dash === undefined
    ? { color: colour, opacity: 0.88 }
    : {
        color: colour.concat("33"),
        borderColor: colour,
        borderWidth: 1.5,
        borderType: [...dash],
      };
}

/** Bars from zero. means: one per category, null draws none. */
export function bar(
  name: string,
  means: readonly (number | null)[],
  look: SeriesLook,
  series: number,
  of: number,
): CustomSeriesOption {
  return {
    type: "custom",
    name,
    color: look.colour,
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
        style:
          look.dash === undefined
            ? { fill: look.colour, opacity: 0.88 }
            : {
                fill: look.colour,
                fillOpacity: 0.2,
                stroke: look.colour,
                lineWidth: 1.5,
                lineDash: [...look.dash],
              },
      };
    },
  };
}
