// @vitest-environment node
import { describe, expect, it } from "vitest";
import { thin, thinDots } from "./thin";
import { valueAt, within } from "./window";
import { clamp, keyed, pinched, scaled } from "./zoom";

const t = Float64Array.from({ length: 180_000 }, (_, index) => index / 1000);
const y = t.map((at) => Math.sin(at * 40) + (at === 90 ? 50 : 0));

describe("the window of a range", () => {
  it("holds one sample more on either side", () => {
    expect(within([0, 1, 2, 3, 4], [1.5, 2.5])).toEqual([1, 4]);
    expect(within([0, 1, 2, 3, 4], [1, 3])).toEqual([0, 5]);
    expect(within([], [0, 1])).toEqual([0, 0]);
  });

  it("reads steps out as they hold, lines at the nearest, dots only when near", () => {
    const series = { t: [0, 10, 20], y: [1, 2, 3] };
    expect(valueAt({ ...series, shape: "step" }, 19, 1)).toBe(2);
    expect(valueAt({ ...series, shape: "line" }, 19, 1)).toBe(3);
    expect(valueAt({ ...series, shape: "dots" }, 15, 1)).toBeNull();
    expect(valueAt({ ...series, shape: "dots" }, 19.5, 1)).toBe(3);
    expect(valueAt({ ...series, shape: "step" }, -1, 1)).toBeNull();
  });
});

describe("thinning", () => {
  it("keeps each column's first, least, greatest and last", () => {
    const columns = 100;
    const kept = thin(t, y, [0, t.length], [0, 180], columns);
    expect(kept.length / 2).toBeLessThanOrEqual(4 * (columns + 2));
    const values = kept.filter((_, index) => index % 2 === 1);
    expect(Math.max(...values)).toBe(y[90_000]);
    expect(Math.min(...values)).toBe(y.reduce((least, each) => Math.min(least, each)));
    const times = kept.filter((_, index) => index % 2 === 0);
    expect([...times]).toEqual([...times].sort((a, b) => a - b));
    expect(times[0]).toBe(0);
    expect(times.at(-1)).toBe(t.at(-1));
  });

  it("leaves few samples as they are", () => {
    expect([...thin([0, 1, 2], [5, NaN, 7], [0, 3], [0, 2], 100)]).toEqual([0, 5, 1, NaN, 2, 7]);
  });

  it("draws dots on the same pixel once", () => {
    const many = thinDots(
      t,
      t.map(() => 1),
      [0, t.length],
      [0, 180],
      100,
      50,
    );
    expect(many.length / 2).toBeLessThanOrEqual(101);
    expect(thinDots([0, 1], [3, 4], [0, 2], [0, 1], 100, 50)).toHaveLength(4);
  });
});

describe("zooming", () => {
  it("keeps what two fingers hold under them", () => {
    // Put on 40 s and 60 s of 100 s, then moved to the quarters.
    expect(pinched([40, 60], [0.25, 0.75], [0, 100])).toEqual([30, 70]);
    expect(pinched([40, 60], [0.4, 0.6], [0, 100])).toEqual([0, 100]);
    // Together: no more than all there is.
    expect(pinched([40, 60], [0.5, 0.5], [0, 100])).toEqual([0, 100]);
  });

  it("stays within what there is", () => {
    expect(clamp([-10, 20], [0, 180])).toEqual([0, 30]);
    expect(clamp([170, 190], [0, 180])).toEqual([160, 180]);
    expect(clamp([5, 5], [0, 180])[1]).toBeGreaterThan(5);
  });

  it("keeps the moment under the pointer where it is", () => {
    const [from, to] = scaled([0, 100], 25, 0.5, [0, 180]);
    expect((25 - from) / (to - from)).toBeCloseTo(0.25);
  });

  it("goes by keys", () => {
    expect(keyed("+", [0, 100], [0, 180])).toEqual([25, 75]);
    expect(keyed("0", [25, 75], [0, 180])).toEqual([0, 180]);
    expect(keyed("x", [25, 75], [0, 180])).toBeNull();
  });
});
