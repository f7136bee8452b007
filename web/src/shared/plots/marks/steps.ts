import type { LineSeriesOption } from "echarts/charts";

/** The empirical distribution function: from 0 before the least value to 1 at the greatest. */
export function steps(name: string, values: readonly number[], colour: string): LineSeriesOption {
  const sorted = [...values].sort((a, b) => a - b);
  const least = sorted[0];
  return {
    type: "line",
    name,
    step: "end",
    showSymbol: false,
    color: colour,
    lineStyle: { width: 1.8 },
    data:
      least === undefined
        ? []
        : [[least, 0], ...sorted.map((value, index) => [value, (index + 1) / sorted.length])],
  };
}
