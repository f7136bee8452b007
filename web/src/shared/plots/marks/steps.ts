import type { LineSeriesOption } from "echarts/charts";
import type { SeriesLook } from "../series";

/** As the legend shows it. */
export function stepsStyle({ colour, dash = [] }: SeriesLook) {
  return { borderColor: colour, borderWidth: 2, borderType: [...dash] };
}

/** The empirical distribution function: from 0 before the least value to 1 at the greatest. */
export function steps(name: string, values: readonly number[], look: SeriesLook): LineSeriesOption {
  const sorted = [...values].sort((a, b) => a - b);
  const least = sorted[0];
  return {
    type: "line",
    name,
    step: "end",
    symbol: "none",
    color: look.colour,
    lineStyle: { width: 1.8, type: [...(look.dash ?? [])] },
    // Of many lines the one that is pointed at, or its entry of the legend.
    emphasis: { focus: "series" },
    data:
      least === undefined
        ? []
        : [[least, 0], ...sorted.map((value, index) => [value, (index + 1) / sorted.length])],
  };
}
