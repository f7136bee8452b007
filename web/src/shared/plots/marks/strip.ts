import type { CustomSeriesOption } from "echarts/charts";
import { place } from "../dodge";

const GOLDEN = 0.618033988749895;

/** Of what a dot of a strip holds, [category, value, place, run]; null for another mark's. */
export function runAt(value: readonly number[]): number | null {
  return value.length === 4 ? (value[3] ?? null) : null;
}

/** Every value as a dot, spread over the band in a fixed pattern so that equal ones show. */
export function strip(
  name: string,
  values: readonly (readonly number[])[],
  runs: readonly (readonly number[])[],
  colour: string,
  series: number,
  of: number,
): CustomSeriesOption {
  return {
    type: "custom",
    name,
    z: 3,
    color: colour,
    encode: { x: 0, y: 1 },
    data: values.flatMap((each, category) =>
      each.map((value, index) => [
        category,
        value,
        ((index * GOLDEN) % 1) - 0.5,
        runs[category]?.[index] ?? NaN,
      ]),
    ),
    renderItem: (_, api) => {
      const { centre, width, y } = place(api, api.value(0) as number, series, of);
      const spread = Math.min(40, width * 0.5) * (api.value(2) as number);
      return {
        type: "circle",
        shape: { cx: centre + spread, cy: y(api.value(1) as number), r: 2.2 },
        style: { fill: colour, opacity: 0.6 },
      };
    },
  };
}
