// @vitest-environment node
import { expect, it } from "vitest";
import { weighed } from "#/testing/manySeries";
import { textsIn } from "#/testing/svgTexts";
import { svgOf } from "./echarts";
import { around, placeFor } from "./labels";
import { scatterOption, type ScatterData } from "./scatter";
import { textWidth } from "./wrap";

const within = { left: 0, top: 0, right: 300, bottom: 200 };

it("writes a name where there is room beside its point", () => {
  const first = placeFor("cubic", [100, 100], [], within);
  expect(first).toMatchObject({ left: 109, top: 83 });
  expect(placeFor("cubic", [100, 100], [around(120, 90, 5)], within)).toMatchObject({ top: 103 });
  expect(placeFor("cubic", [290, 100], [], within)?.right).toBe(281);
  expect(placeFor("cubic", [100, 4], [], within)?.top).toBe(7);
  const everywhere = [around(100, 100, 60)];
  expect(placeFor("cubic", [100, 100], everywhere, within)).toBeNull();
});

function namesIn(data: ScatterData, width: number) {
  const svg = svgOf(scatterOption(data, "light", width), { width, height: 340 });
  return textsIn(svg)
    .filter(({ text }) => text.endsWith(" · rwtm"))
    .map(({ text, x, y }) => ({ text, left: x, right: x + (11 / 12) * textWidth(text), y }));
}

it.each([326, 1180, 1640])("covers no name by another within %i px", (width) => {
  const names = namesIn(weighed, width);
  expect(names.length).toBeGreaterThanOrEqual(width < 400 ? 6 : weighed.points.length);
  names.forEach((a, index) => {
    expect(a.right).toBeLessThanOrEqual(width);
    for (const b of names.slice(0, index))
      expect(Math.abs(a.y - b.y) >= 14 || a.right <= b.left || b.right <= a.left).toBe(true);
  });
});

it("names the front before others where there is no room for all", () => {
  const at = (name: string, x: number) => ({
    ...{ name: `${name} · rwtm`, x, y: 1 },
    ...{ xRange: [x, x] as const, yRange: [1, 1] as const },
  });
  const points = [at("other", 1), at("first", 1.0001), at("far", 9)];
  const named = (front: string[]) =>
    namesIn({ ...weighed, points, front }, 326).map(({ text }) => text);
  expect(named([])[0]).toBe("other · rwtm");
  expect(named(["first · rwtm"])[0]).toBe("first · rwtm");
});
