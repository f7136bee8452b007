import type { CustomSeriesOption } from "echarts/charts";
import { place } from "../dodge";

/** Diamonds: a paper's own numbers beside what was measured. */
export function diamond(
  name: string,
  values: readonly (number | null)[],
  colours: { fill: string; stroke: string },
  series: number,
  of: number,
): CustomSeriesOption {
  return {
    type: "custom",
    name,
    z: 5,
    color: colours.fill,
    data: values.flatMap((value, category) => (value === null ? [] : [[category, value]])),
    renderItem: (_, api) => {
      const { centre, y } = place(api, api.value(0) as number, series, of);
      const top = y(api.value(1) as number);
      return {
        type: "polygon",
        shape: {
          points: [
            [centre, top - 6],
            [centre + 6, top],
            [centre, top + 6],
            [centre - 6, top],
          ],
        },
        style: { fill: colours.fill, stroke: colours.stroke, lineWidth: 1.5 },
      };
    },
  };
}
