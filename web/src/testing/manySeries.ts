/** More series than there are colours. */
import type { BarsData } from "#/shared/plots/bars";
import type { ValuesData } from "#/shared/plots/boxes";
import type { ScatterData } from "#/shared/plots/scatter";
import { drawer } from "./examples";

const controls = [
  ...["cubic", "reno", "bbr", "vegas", "illinois", "westwood"],
  ...["yeah", "htcp", "dctcp", "hybla", "nv", "prague"],
];
const shapings = ["no shaping", "htbm", "rwtm"];
const draw = drawer(11);

export const manyValues: ValuesData = {
  metric: "mean bitrate",
  unit: "bit/s",
  categories: shapings,
  series: controls.map((name, column) => ({
    name,
    cells: shapings.map((_, row) =>
      Array.from({ length: 12 }, () => 1e5 * (9 + column + 3 * row + 8 * draw())),
    ),
    runs: shapings.map(() => Array.from({ length: 12 }, (_, run) => run + 1)),
  })),
};

export const manyBars: BarsData = {
  ...manyValues,
  series: manyValues.series.map(({ name, cells }) => ({
    name,
    cells: cells.map((values) => {
      const mean = values.reduce((sum, each) => sum + each, 0) / values.length;
      return { mean, ciLow: mean * 0.94, ciHigh: mean * 1.06, n: 12, distinct: 12 };
    }),
  })),
};

export const weighed: ScatterData = {
  x: { title: "Mean queueing delay", unit: "s" },
  y: { title: "Mean bitrate", unit: "bit/s" },
  points: controls.map((control, index) => ({
    name: `${control} · rwtm`,
    x: 0.02 + 0.004 * index,
    y: 2e6 + 1e5 * index * (index % 3),
    xRange: [0.018 + 0.004 * index, 0.022 + 0.004 * index],
    yRange: [1.9e6 + 1e5 * index * (index % 3), 2.1e6 + 1e5 * index * (index % 3)],
  })),
  front: ["cubic · rwtm", "reno · rwtm", "bbr · rwtm", "westwood · rwtm", "dctcp · rwtm"],
};
