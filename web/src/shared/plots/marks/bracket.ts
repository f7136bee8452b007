import type { CustomSeriesOption } from "echarts/charts";
import { place } from "../dodge";

/** Two bars that differ, by [category, series]; `step` brackets stand below it. above: the value
 * that it has to clear. label: what is written on it. */
export interface Bracket {
  from: readonly [number, number];
  to: readonly [number, number];
  step: number;
  above: number;
  label: string;
  colour: string;
}

/** Pixels of a bracket with its sign. */
export const BRACKET_PX = 17;
const FEET_PX = 4;
const CLEAR_PX = 8;
/** Between the ends of a bracket that is drawn; of narrower ones the sign alone is. */
const LEAST_PX = 20;

/** Brackets above bars. Their data are [category, value to clear, which of the brackets]. */
export function brackets(
  name: string,
  found: readonly Bracket[],
  line: string,
  of: number,
): CustomSeriesOption {
  return {
    type: "custom",
    name,
    z: 6,
    encode: { x: 0, y: 1 },
    data: found.map(({ to: [category], above }, index) => [category, above, index]),
    renderItem: (_, api) => {
      const bracket = found[api.value(2) as number];
      if (bracket === undefined) return null;
      const { from, to, above, step, label, colour } = bracket;
      const left = place(api, from[0], from[1], of);
      const right = place(api, to[0], to[1], of);
      const y = left.y(above) - CLEAR_PX - step * BRACKET_PX;
      const isWide = Math.abs(right.centre - left.centre) >= LEAST_PX;
      const middle = isWide ? (left.centre + right.centre) / 2 : right.centre;
      const sign = {
        type: "text" as const,
        style: {
          text: label,
          x: middle,
          y: isWide ? y - 2 : y + FEET_PX,
          align: "center" as const,
          verticalAlign: "bottom" as const,
          fill: colour,
          fontSize: 11,
        },
      };
      if (!isWide) return sign;
      const points = [
        [left.centre, y + FEET_PX],
        [left.centre, y],
        [right.centre, y],
        [right.centre, y + FEET_PX],
      ];
      return {
        type: "group",
        children: [
          {
            type: "polyline",
            shape: { points },
            style: { stroke: line, lineWidth: 1.2, fill: "none" },
          },
          sign,
        ],
      };
    },
  };
}
