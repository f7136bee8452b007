import { expect, it } from "vitest";
import { categoryAxis } from "./style";

const nights = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${index + 1} Oct 2026`);

it.each([
  // Names, px, how many stand: beside each other, tilted, and every fourth.
  [7, 1180, 7, 0],
  [10, 326, 10, 50],
  [40, 326, 10, 50],
  [400, 1640, 67, 50],
])("names %i nights over %i px by %i, %i degrees tilted", (count, width, shown, tilt) => {
  const { axisLabel } = categoryAxis("light", nights(count), width);
  expect(axisLabel.rotate).toBe(tilt);
  const each = axisLabel.interval + 1;
  expect(Math.ceil(count / each)).toBe(shown);
  // A tilted line is some 16 px wide along the axis.
  if (tilt > 0) expect(((width - 100) / count) * each).toBeGreaterThanOrEqual(16);
});
