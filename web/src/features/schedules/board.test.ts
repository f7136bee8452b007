import { describe, expect, it } from "vitest";
import { change, type Point } from "./board";

function point(before: number | null, difference: number | null, verdict = "worse"): Point {
  return { before, difference, verdict } as Point;
}

describe("what stands in a field", () => {
  it.each([
    [point(200, -10), "−5 %"],
    [point(-200, 10), "+5 %"],
    [point(1e6, 1e-3), "0 %"],
    [point(0, 3), "+∞"],
    [point(0, 0), "0"],
    [point(null, null), "–"],
    [point(1, 0, "same"), "="],
  ])("%o: %s", (given, shown) => {
    expect(change(given)).toBe(shown);
  });
});
