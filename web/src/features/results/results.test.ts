import { describe, expect, it } from "vitest";
import { comparedBy, contrastsOf } from "./contrasts";
import { findingsOf, tally } from "./finding";
import { paperNumbers } from "./paper";
import { areAlike } from "#/shared/metrics/counted";
import { spread } from "./PivotTable";
import { barsOf, only, pivot, type Cell } from "./pivot";
import { ranksOf } from "./ranks";
import { asked, pooledOf } from "./search";

const CC = "server.congestion_control";
const SHAPING = "gateway.shaping.method";
const factors = { rows: CC, columns: SHAPING };

const cell = (cc: string, shaping: string, mean: number): Cell => ({
  levels: { [CC]: cc, [SHAPING]: shaping },
  n: 3,
  distinct: 3,
  mean,
  sd: 1,
  ci_low: mean - 1,
  ci_high: mean + 1,
  min: 0,
  max: 9,
  quantiles: [],
});

const cells = [cell("reno", "none", 1), cell("reno", "rwtm", 2), cell("cubic", "none", 3)];

describe("a pivot", () => {
  it("has levels in their order, and holes", () => {
    const made = pivot(cells, factors);
    expect(made.rows).toEqual(["reno", "cubic"]);
    expect(made.columns).toEqual(["none", "rwtm"]);
    expect(made.at("cubic", "rwtm")).toBeUndefined();
    const bars = barsOf(made, { title: "m", unit: "s" }, () => null);
    expect(bars.series[1]?.cells).toEqual([
      { mean: 2, ciLow: 1, ciHigh: 3, n: 3, distinct: 3, paper: null },
      null,
    ]);
  });

  it("says of how many different runs a mean is", () => {
    const alike = { ...cell("reno", "none", 1), distinct: 1, ci_low: null, ci_high: null };
    expect(spread(alike, "s")).toBe("n = 3, all alike");
    expect(spread({ ...alike, n: 1 }, "s")).toBe("n = 1");
    expect(spread({ ...alike, n: 6, distinct: 2 }, "s")).toBe("n = 6, 2 distinct");
    expect(pivot([alike], factors).some(areAlike)).toBe(true);
  });

  it("of picked cells has one category for each", () => {
    const some = only(pivot(cells, factors), [
      ["cubic", "none"],
      ["reno", "rwtm"],
    ]);
    expect(some.rows).toEqual(["cubic · none", "reno · rwtm"]);
    expect(some.at("reno · rwtm", "all")?.mean).toBe(2);
  });
});

describe("contrasts", () => {
  const score = (cc: string, shaping: string, p: number) => {
    const summary = { n: 3, distinct: 3, mean: 1, sd: 1, ci_low: 0, ci_high: 2 };
    const pair = { n: 3, distinct: 3, mean_a: 1, mean_b: 2, relative: 1, better: null };
    const sizes = { difference: 1, ci_low: 0, ci_high: 2, p_value: p, p_adjusted: p };
    const levels = { [CC]: cc, [SHAPING]: shaping };
    return { metric: "m", levels, ...pair, ...sizes, a: summary, b: summary };
  };
  const metric = { name: "m", title: "M", unit: "s", scope: "run", better: "higher" } as never;

  it("are those beyond chance, between bars that are shown", () => {
    const scores = [
      score("reno", "rwtm", 0.01),
      score("cubic", "rwtm", 0.2),
      score("vegas", "rwtm", 0.01),
    ];
    const card = { factor: SHAPING, level: "none", scores };
    const [only, ...others] = contrastsOf(card, factors, pivot(cells, factors), metric);
    expect(only).toMatchObject({ from: [0, 0], to: [0, 1], isBetter: true });
    expect(only?.text).toContain("reno · rwtm against none: +1\u202fs");
    expect(others).toEqual([]);
  });

  it("are across where there is a factor, else down", () => {
    expect(comparedBy(factors)).toBe(SHAPING);
    const down = { rows: CC, columns: null };
    expect(comparedBy(down)).toBe(CC);
    const card = { factor: CC, level: "reno", scores: [score("cubic", "none", 0.01)] };
    const shown = pivot([cell("reno", "none", 1), cell("cubic", "none", 2)], down);
    expect(contrastsOf(card, down, shown, metric)).toMatchObject([{ from: [0, 0], to: [1, 0] }]);
  });
});

describe("a paper's numbers", () => {
  const reported = (cc: string, client: number, paper: number | null) => ({
    levels: { [CC]: cc, [SHAPING]: "none" },
    client,
    paper,
  });
  const report = [
    reported("reno", 1, 4),
    reported("reno", 2, 6),
    reported("cubic", 1, 1),
    reported("cubic", 2, null),
  ];

  it("are averaged over clients as what was measured is", () => {
    expect(paperNumbers(report, factors, null)("reno", "none")).toBe(5);
    expect(paperNumbers(report, factors, 2)("reno", "none")).toBe(6);
  });

  it("are none where one is missing, and pooled where factors are", () => {
    expect(paperNumbers(report, factors, null)("cubic", "none")).toBeNull();
    expect(paperNumbers(report, { rows: SHAPING, columns: null }, 1)("none", "all")).toBe(2.5);
  });
});

describe("the address", () => {
  it("leaves the view open: the second factor down, the first across", () => {
    expect(asked({}, [SHAPING, CC])).toMatchObject({ rows: CC, columns: SHAPING, view: "bars" });
    expect(asked({}, [CC])).toMatchObject({ rows: CC, columns: null });
    expect(asked({}, [])).toMatchObject({ rows: null, columns: null });
  });

  it("says which factors are pooled", () => {
    const factors = [SHAPING, CC, "duration"];
    expect(pooledOf(asked({}, factors), factors)).toEqual(["duration"]);
    expect(pooledOf(asked({ levels: { duration: "9s" } }, factors), factors)).toEqual([]);
    expect(pooledOf(asked({ columns: "-" }, factors), factors)).toEqual([SHAPING, "duration"]);
  });

  it("of another campaign does no harm", () => {
    const search = { rows: "gone", columns: CC, levels: { gone: "x", [CC]: "reno" } };
    expect(asked(search, [SHAPING, CC])).toMatchObject({
      rows: null,
      columns: CC,
      levels: { [CC]: "reno" },
    });
  });
});

it("offers as many ranks as there are clients", () => {
  expect(ranksOf({ clients: [{ player: "bola", count: 2 }, { player: "bba" }] }, [])).toBe(3);
  expect(ranksOf({ clients: [{ count: 2 }] }, ["clients.0.count"])).toBe(10);
});

it("counts a finding's comparisons", () => {
  const found = findingsOf([
    {
      statement: "Less.",
      verdict: "inconclusive",
      comparisons: [
        { verdict: "supported" },
        { verdict: "inconclusive" },
        { verdict: "supported" },
      ],
    },
    { nothing: true },
  ]);
  expect(found.map(tally)).toEqual(["3 comparisons: 2 supported, 1 inconclusive"]);
});
