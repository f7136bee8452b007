// @vitest-environment node
import { expect, it } from "vitest";
import { visibleRows } from "./useVisibleRows";

it("holds what is in view and some rows beyond, however many there are", () => {
  for (const top of [0, 1_000, 34 * 30_000 - 640]) {
    const { first, end } = visibleRows(top, 640, 34, 30_000);
    expect(first).toBeLessThanOrEqual(Math.max(0, top / 34 - 6));
    expect(end).toBeGreaterThanOrEqual(Math.min(30_000, (top + 640) / 34 + 6));
    expect(end - first).toBeLessThan(60);
  }
});

it("stays within the rows", () => {
  expect(visibleRows(0, 640, 34, 3)).toEqual({ first: 0, end: 3 });
  expect(visibleRows(5_000, 640, 34, 3)).toEqual({ first: 3, end: 3 });
  expect(visibleRows(0, 640, 34, 0)).toEqual({ first: 0, end: 0 });
});

it("does not change with every pixel", () => {
  expect(visibleRows(100, 640, 34, 999)).toEqual(visibleRows(110, 640, 34, 999));
});
