import { expect, it } from "vitest";
import type { Metric } from "#/shared/metrics/metrics";
import { changedText, differing, valueText } from "./differing";
import { verdict } from "./pairs";
import type { Pair } from "./queries";
import { metricDifferences } from "./runMetrics";

it("finds what differs, leaf by leaf", () => {
  const a = { rate: "8Mbit/s", clients: [{ player: "bola", count: 2 }], same: [1, 2] };
  const b = { rate: "9Mbit/s", clients: [{ player: "bba", count: 2 }], same: [1, 2], more: true };
  expect(differing(a, b)).toEqual([
    { path: "rate", a: "8Mbit/s", b: "9Mbit/s" },
    { path: "clients.0.player", a: "bola", b: "bba" },
    { path: "more", a: undefined, b: true },
  ]);
  expect(differing({ a: null }, {})).toEqual([]);
});

it("gives of two files the lines that differ", () => {
  const before = "import math\nshare = 0.9\nelse\n";
  expect(changedText(before, before.replace("0.9", "0.85"))).toBe("line 2:\nshare = 0.9");
  expect(changedText(before, `${before}more\n`)).toBe("line 4:\n–");
  expect(changedText("8Mbit/s", "9Mbit/s")).toBe("8Mbit/s");
  expect(changedText(undefined, before)).toBe("–");
});

it("reads whose metric differs, and in what unit", () => {
  const jain: Metric = {
    name: "jain",
    title: "Jain's index",
    unit: "",
    scope: "run",
    better: "higher",
    formula: "(sum x)^2 / (n * sum x^2)",
    source: "Jain, Chiu, Hawe 1984",
  };
  const found = metricDifferences(
    [
      { path: "jain", a: 0.9, b: 1 },
      { path: "client.2.cng", a: 3, b: null },
      { path: "client.2.client", a: 1, b: 2 },
    ],
    new Map([["jain", jain]]),
  );
  expect(found).toEqual([
    {
      path: "jain",
      title: "Jain's index",
      rank: null,
      metric: { unit: "", better: "higher" },
      about: jain,
      a: 0.9,
      b: 1,
    },
    {
      path: "client.2.cng",
      title: "cng",
      rank: 2,
      metric: { unit: "", better: null },
      a: 3,
      b: null,
    },
  ]);
});

it("says what a comparison comes to", () => {
  const pairs = (...better: Pair["better"][]) => ({
    pairs: better.map((each) => ({ better: each, n: 3, distinct: 3 }) as Pair),
  });
  expect(verdict(pairs(null, null))).toBe("No significant difference in any of 2.");
  expect(verdict(pairs("b", "b", null))).toBe("Of 3, B is better in 2; 1 undecided.");
  const apart = { better: null, n: 0, distinct: 0 } as Pair;
  expect(verdict({ pairs: [apart] })).toMatch(/^The two have no seed in common/);
  const alike = { better: null, n: 3, distinct: 1 } as Pair;
  expect(verdict({ pairs: [alike] })).toMatch(
    /In 1 all pairs are alike, and nothing can be tested/,
  );
});

it("does not show digits that it does not know", () => {
  expect(valueText(42)).toBe("42");
  expect(valueText(Number("907750567567283696"))).toBe("≈ 9.07750567567284e+17");
});
