import { expect, it } from "vitest";
import { howMany, scaleOf } from "./words";

it("says how many more seeds it may take", () => {
  const told = { replicates: 24, distinct: 9, most: 40 };
  expect(howMany(told, true)).toContain("at most 40 seeds; at the shares seen, about 24 seeds");
  expect(howMany({ ...told, replicates: 3 }, true)).toContain("about 10 seeds");
  expect(howMany({ ...told, replicates: null }, false)).toContain("more seeds would not tell");
});

it("puts zero and all values on one scale", () => {
  const at = scaleOf([5, null, 10]);
  expect(at(0)).toBeGreaterThan(0);
  expect(at(10)).toBeLessThan(1);
  expect(at(5)).toBeCloseTo(0.5);
  expect(scaleOf([0])(0)).toBeCloseTo(0.5);
});
