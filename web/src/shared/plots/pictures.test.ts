// @vitest-environment node
/** Plots as SVG, pinned: look at the files in snapshots/ after changing one. */
import { expect, it } from "vitest";
import { bars, stack, values } from "#/testing/examples";
import { barsOption } from "./bars";
import { boxesOption } from "./boxes";
import { cdfOption } from "./cdf";
import { svgOf, type ChartOption } from "./echarts";
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

it("draws every bar, whisker and diamond", () => {
  const svg = svgOf(barsOption(bars, "light", 900), { width: 900, height: 300 });
  const cells = bars.series.flatMap((series) => series.cells);
  expect(svg.split('fill="#1f6fb4" fill-opacity="0.88"')).toHaveLength(
    // And its icon in the legend.
    2 + bars.categories.length,
  );
  expect(cells.filter((cell) => cell?.paper != null)).toHaveLength(9);
});
