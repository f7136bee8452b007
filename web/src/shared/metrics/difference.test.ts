import { expect, it } from "vitest";
import { inWords, isBetter, isSignificant, pText, share, signed, verdict } from "./difference";

it("says differences with their sign", () => {
  expect(signed(1.2e6, "bit/s")).toBe("+1.2\u202fMbit/s");
  expect(signed(-3, "%")).toBe("−3\u202f%");
  expect(signed(null, "s")).toBe("–");
  expect(share(0.125)).toBe("+12.5\u202f%");
  expect(share(null)).toBe("");
});

it("says what a difference is worth", () => {
  expect(pText({ n: 9, distinct: 9, p_adjusted: 0.00004 })).toBe("adjusted p < 0.001");
  expect(pText({ n: 1, distinct: 1, p_adjusted: null })).toBe("too few pairs");
  expect(pText({ n: 3, distinct: 1, p_adjusted: null })).toBe("pairs all alike: no test");
  expect(pText({ n: 0, distinct: 0, p_adjusted: null })).toBe("no common seeds");
  expect(isSignificant({ p_adjusted: 0.05 })).toBe(false);
  expect(isBetter(-1, { better: "lower" })).toBe(true);
  expect(isBetter(-1, { better: null })).toBeNull();
});

it("says a difference in one line", () => {
  const found = {
    n: 3,
    distinct: 3,
    difference: -2,
    ci_low: -3,
    ci_high: -1,
    relative: -0.5,
    p_adjusted: 0.0001,
  };
  const lower = { unit: "s", better: "lower" as const };
  expect(inWords(found, lower)).toBe(
    "−2\u202fs (−50\u202f%) [−3\u202fs … −1\u202fs], adjusted p < 0.001, 3 pairs, better",
  );
  expect(verdict({ ...found, p_adjusted: 0.2 }, lower)).toBe("");
  expect(verdict({ ...found, difference: 2 }, lower)).toBe("worse");
  expect(verdict(found, { better: null })).toBe("neither better nor worse");
  const alone = { ...found, n: 1, distinct: 1, ci_low: null, ci_high: null, p_adjusted: null };
  expect(inWords(alone, lower)).toBe("−2\u202fs (−50\u202f%), too few pairs, 1 pair");
});
