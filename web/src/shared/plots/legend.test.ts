// @vitest-environment node
import { describe, expect, it } from "vitest";
import { textsIn } from "#/testing/svgTexts";
import { cdfNames, cdfOption } from "./cdf";
import type { ValuesData } from "./boxes";
import { svgOf } from "./echarts";
import { legendHeight } from "./legend";
import { textWidth } from "./wrap";

const LONG =
  "Shaping against TCP over a bottleneck that is shared by players of several makers and by downloads";
/** Of a plot on a phone of 390 px, and on larger ones. */
const WIDTHS = [326, 1180, 1640];

function valuesOf(categories: readonly string[], columns: readonly string[]): ValuesData {
  return {
    metric: "bitrate",
    unit: "bit/s",
    categories,
    series: columns.map((name) => ({ name, cells: categories.map(() => [1, 2]), runs: [] })),
  };
}

/** Where the legend's texts stand, px, and where the plot below them begins. */
function drawn(data: ValuesData, width: number) {
  const names = cdfNames(data);
  const height = 300 + legendHeight(names, width);
  const texts = textsIn(svgOf(cdfOption(data, "light", width), { width, height }));
  const axis = texts.find(({ text }) => text === "share of values");
  const top = axis?.y ?? NaN;
  const legend = texts.filter(({ y }) => y < top);
  return { legend, top, height };
}

describe.each(WIDTHS)("a legend within %i px", (width) => {
  const many = valuesOf(
    Array.from({ length: 12 }, (_, index) => `WMW ${index}`),
    ["none", "htbm", "rwtm · BBR"],
  );

  it("names each of 36 series, above the plot and beside each other", () => {
    const { legend, top, height } = drawn(many, width);
    expect(legend.map(({ text }) => text)).toEqual(cdfNames(many));
    const lines = new Map<number, { text: string; x: number }[]>();
    for (const { text, x, y } of legend) lines.set(y, [...(lines.get(y) ?? []), { text, x }]);
    for (const line of lines.values())
      line.forEach(({ text, x }, index) =>
        expect(x + textWidth(text)).toBeLessThanOrEqual(line[index + 1]?.x ?? width),
      );
    const [last = 0] = [...lines.keys()].sort((a, b) => b - a);
    // Half of either text; and no empty line between.
    expect(last + 14).toBeLessThanOrEqual(top);
    expect(last + 34).toBeGreaterThan(top);
    expect(height - top).toBeGreaterThan(250);
  });

  it("breaks a long name into lines", () => {
    const { legend, top } = drawn(valuesOf([""], [`A: ${LONG}`, "B: short"]), width);
    expect(legend.map(({ text }) => text).join(" ")).toBe(`A: ${LONG} B: short`);
    legend.forEach(({ text, x, y }) => {
      expect(x + textWidth(text)).toBeLessThanOrEqual(width);
      expect(y).toBeGreaterThanOrEqual(5);
      expect(y + 12).toBeLessThanOrEqual(top);
    });
  });
});

it("takes no room for one name", () => {
  expect(legendHeight(["mean"], 326)).toBe(0);
});
