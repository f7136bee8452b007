// @vitest-environment node
/** Plots as SVG, pinned: look at the files in snapshots/ after changing one. */
import { expect, it } from "vitest";
import { bars, contrasted, stack, values } from "#/testing/examples";
import { barsOption, type BarsData } from "./bars";
import { boxesOption } from "./boxes";
import { cdfOption } from "./cdf";
import { bracketsOf, tallest } from "./contrasts";
import { svgOf, type ChartOption } from "./echarts";
import { dashBeside, dashOf } from "./series";
import { slotsOf } from "./stack/layout";
import { pictureOption } from "./stack/picture";

const view = { range: [20, 60], width: 900, scheme: "light" } as const;
const { height } = slotsOf(stack.panels, view.width);

const pictures: [string, ChartOption, number][] = [
  ["bars", barsOption(bars, "light", 900), 300],
  ["bars-dark", barsOption(bars, "dark", 900), 300],
  ["boxes", boxesOption(values, "light", 900), 300],
  ["cdf", cdfOption(values, "light", 900), 300],
  ["stack", pictureOption(stack.panels, stack.moments, view, new Set()), height],
];

it.each(pictures)("%s", async (name, option, tall) => {
  const svg = svgOf(option, { width: 900, height: tall })
    // Counted by ECharts over all charts of the process.
    .replace(/zr\d+-/g, "zr-")
    .replaceAll("><", ">\n<");
  await expect(svg).toMatchFileSnapshot(`snapshots/${name}.svg`);
});

it("shows each line's dash in the legend of a stack that is downloaded", () => {
  const own = [0, 1, 2, 3].map(dashOf);
  const series = [...own, ...own.map(dashBeside)].map((dash) => ({
    ...{ name: "line", t: [], y: [], shape: "line" as const, colour: "#000", dash },
  }));
  const { title } = pictureOption([{ title: "", unit: "", series }], [], view, new Set());
  const [{ text = "" } = {}] = [title ?? []].flat();
  const signs = [...text.matchAll(/\{s\d\|([^}]*)\}/g)].map(([, sign]) => sign);
  expect(signs).toEqual(["━━", "– –", "· ·", "– ·", "- -", "— —", "·  ·", "– ·  ·"]);
});

it("draws a bracket over each pair of bars that differ", () => {
  const option = barsOption(contrasted, "light", 900);
  const svg = svgOf(option, { width: 900, height: 300 });
  const signs = svg.match(/>[▲▼≠]</gu);
  expect(signs?.join("")).toBe(">▲<>▼<>▼<>▲<>≠<>≠<");
  expect(svg.match(/<polyline [^>]*stroke="#8d99a5"/g)).toHaveLength(6);
});

it("draws signs alone where brackets would be a tower, or have no room", () => {
  const many: BarsData = {
    ...bars,
    series: Array.from({ length: 7 }, (_, index) => ({
      name: String(index),
      cells: bars.series[0]?.cells ?? [],
    })),
    contrasts: [1, 2, 3, 4, 5, 6].map((column) => ({
      from: [0, 0] as const,
      to: [0, column] as const,
      isBetter: true,
      text: "",
    })),
  };
  const found = bracketsOf(many, many.contrasts ?? [], "light");
  expect(found.map(({ from, to, step }) => from === to && step === 0)).toEqual(Array(6).fill(true));
  expect(tallest(found)).toBe(1);
  expect(tallest([])).toBe(0);
});

it("draws every bar, whisker and diamond", () => {
  const svg = svgOf(barsOption(bars, "light", 900), { width: 900, height: 300 });
  const cells = bars.series.flatMap((series) => series.cells);
  expect(svg.split('fill="#3378ce" fill-opacity="0.88"')).toHaveLength(
    // And its icon in the legend.
    2 + bars.categories.length,
  );
  expect(cells.filter((cell) => cell?.paper != null)).toHaveLength(9);
});
