import { expect, it } from "vitest";
import { isBetter, isSignificant, pText, share, signed } from "./difference";

it("says differences with their sign", () => {
  expect(signed(1.2e6, "bit/s")).toBe("+1.2\u202fMbit/s");
  expect(signed(-3, "%")).toBe("−3\u202f%");
  expect(signed(null, "s")).toBe("–");
  expect(share(0.125)).toBe("+12.5\u202f%");
  expect(share(null)).toBe("");
});

it("says what a difference is worth", () => {
  expect(pText({ n: 9, distinct: 9, p_adjusted: 0.00004 })).toBe("p < 0.001");
  expect(pText({ n: 1, distinct: 1, p_adjusted: null })).toBe("too few pairs");
  expect(pText({ n: 3, distinct: 1, p_adjusted: null })).toBe("pairs all alike: no test");
  expect(pText({ n: 0, distinct: 0, p_adjusted: null })).toBe("no common seeds");
  expect(isSignificant({ p_adjusted: 0.05 })).toBe(false);
  expect(isBetter(-1, { better: "lower" })).toBe(true);
  expect(isBetter(-1, { better: null })).toBeNull();
});
