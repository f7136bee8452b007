import type { CustomSeriesOption } from "echarts/charts";
import type { Symbol } from "../series";

/** The name of the element that ../dotsShape.ts registers. */
export const DOTS = "dots";

export interface DotsShape {
  /** x, y, x, y, ... in px. */
  points: Float64Array;
  /** Of each dot, about its middle, in radii. */
  corners: readonly (readonly [number, number])[];
  radius: number;
}

const PLAIN_PX = 2;
/** Large enough to tell shapes apart. */
const SYMBOL_PX = 3;
const EIGHTHS = Array.from({ length: 8 }, (_, index) => ((2 * index + 1) * Math.PI) / 8);
const CORNERS: Readonly<Record<Symbol, DotsShape["corners"]>> = {
  circle: EIGHTHS.map((angle) => [Math.cos(angle), Math.sin(angle)]),
  triangle: [
    [0, -1],
    [1, 1],
    [-1, 1],
  ],
  diamond: [
    [0, -1],
    [1, 0],
    [0, 1],
    [-1, 0],
  ],
  rect: [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ],
};

/** [t, y, t, y, ...] as one element, which thousands take within a frame. */
export function dots(
  values: Float64Array,
  colour: string,
  symbol: Symbol | undefined,
): Pick<CustomSeriesOption, "data" | "renderItem"> {
  const y = values.filter((_, index) => index % 2 === 1);
  const [least, greatest] = y.reduce(
    ([low, high], each) => [Math.min(low, each), Math.max(high, each)],
    [Infinity, -Infinity],
  );
  const ends = [
    [values[0], least],
    [values.at(-2), greatest],
  ];
  return {
    // Two that span all: the axes ask for no more, and each costs.
    data: values.length === 0 ? [] : ends,
    renderItem: ({ dataIndexInside }, api) => {
      if (dataIndexInside > 0) return null;
      const points = new Float64Array(values.length);
      for (let at = 0; at < values.length; at += 2)
        points.set(api.coord([values[at], values[at + 1]]), at);
      const shape: DotsShape = {
        points,
        corners: CORNERS[symbol ?? "circle"],
        radius: symbol === undefined ? PLAIN_PX : SYMBOL_PX,
      };
      return { type: DOTS, shape, style: { fill: colour, opacity: 0.75 } } as never;
    },
  };
}
