// @vitest-environment node
import { expect, it } from "vitest";
import type { Metric } from "#/shared/metrics/metrics";
import { cardOf, strength, type Score } from "./card";
import { paretoFront } from "./pareto";

const metric = (name: string): Metric & Score["a"] & { title: string } =>
  ({
    name,
    title: name,
    unit: "s",
    scope: "run",
    better: "lower",
    formula: "",
    source: "",
  }) as never;

const score = (name: string, cc: string, relative: number, p: number): Score => {
  const summary = { n: 3, distinct: 3, mean: 1, sd: 1, ci_low: 0, ci_high: 2 };
  return {
    metric: name,
    levels: { cc, shaping: "rwtm" },
    n: 3,
    distinct: 3,
    mean_a: 1,
    mean_b: 1 + relative,
    difference: relative,
    ci_low: relative - 1,
    ci_high: relative + 1,
    relative,
    p_value: p,
    p_adjusted: p,
    better: null,
    a: summary,
    b: summary,
  };
};

it("has a row for each metric that differs, the surest first, and a column for each group", () => {
  const card = cardOf({
    campaign_id: "c",
    client: null,
    factor: "shaping",
    level: "none",
    by: ["cc"],
    metrics: [metric("same"), metric("unsure"), metric("sure")],
    scores: [
      score("same", "cubic", 0, 1),
      score("unsure", "cubic", 0.2, 0.5),
      score("unsure", "reno", 0.2, 0.5),
      score("sure", "reno", 0.2, 0.01),
    ],
  });
  expect(card.columns).toEqual(["rwtm · cubic", "rwtm · reno"]);
  expect(card.rows.map(({ metric: { name } }) => name)).toEqual(["sure", "unsure"]);
  expect(card.rows[0]?.scores[0]).toBeUndefined();
  expect(card.rows[0]?.scores[1]?.metric).toBe("sure");
});

it("colours what is significant, by its size", () => {
  expect(strength(score("m", "cubic", 9, 0.5))).toBe(0);
  expect(strength(score("m", "cubic", 9, 0.01))).toBe(0.5);
  expect(strength(score("m", "cubic", -0.25, 0.01))).toBeCloseTo(0.3);
});

it("keeps the choices that no other beats in both metrics", () => {
  const choices = [
    { name: "slow and poor", x: 3, y: 1 },
    { name: "fast", x: 1, y: 2 },
    { name: "rich", x: 3, y: 9 },
    { name: "between", x: 2, y: 5 },
    { name: "as fast, poorer", x: 1, y: 1 },
  ];
  const names = (x: "lower" | "higher") =>
    paretoFront(choices, { x, y: "higher" }).map(({ name }) => name);
  expect(names("lower")).toEqual(["fast", "between", "rich"]);
  expect(names("higher")).toEqual(["rich"]);
  expect(paretoFront([], { x: null, y: null })).toEqual([]);
});
