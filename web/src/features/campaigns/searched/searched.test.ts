import { expect, it } from "vitest";
import {
  foundOf,
  nameOf,
  placeOf,
  ruleOf,
  tableOf,
  trialText,
  verdictsOf,
  type Told,
} from "./words";

const level = (rate: number) => ({ text: `${rate}Mbit/s`, number: rate * 1e6 });
const metric: Told["metric"] = {
  name: "stall_count",
  title: "Stalls",
  unit: "",
  scope: "client",
  better: "lower",
  formula: "number of them",
  source: "a paper",
};
const subject: Told["subjects"][number] = {
  levels: { "server.congestion_control": "reno" },
  replicate: null,
  state: "searching",
  level: null,
  exceptions: [],
  reason: "",
  fails_at: level(1),
  passes_at: level(5),
  trials: [
    { level: level(1), verdict: "failed", value: 3, runs: [] },
    { level: level(3), verdict: "open", value: null, runs: [] },
    { level: level(5), verdict: "passed", value: 0, runs: [] },
  ],
};
const told = {
  low: level(1),
  high: level(9),
  metric,
  at_most: 0,
  at_least: null,
  subjects: [subject],
} as unknown as Told;

it("explains the dots that there are", () => {
  expect(verdictsOf(told)).toEqual(["passed", "failed", "open"]);
  expect(verdictsOf({ subjects: [] })).toEqual([]);
});

it("names whose search it is", () => {
  expect(nameOf(subject)).toBe("congestion control reno");
  expect(nameOf({ ...subject, replicate: 0 })).toBe("congestion control reno, replicate 1");
  expect(nameOf({ ...subject, levels: {} })).toBe("all runs");
});

it("tells what was found, or how far it has narrowed", () => {
  expect(foundOf(subject)).toBe("between 1Mbit/s and 5Mbit/s");
  expect(foundOf({ ...subject, passes_at: null })).toBe("beyond 1Mbit/s");
  expect(foundOf({ ...subject, fails_at: null, passes_at: null })).toBe("ends are being tried");
  const found = { ...subject, state: "found" as const, level: level(4) };
  expect(foundOf(found)).toBe("4Mbit/s");
  expect(foundOf({ ...found, exceptions: [level(5)] })).toBe("4Mbit/s; beyond it 5Mbit/s fails");
  const none = { ...subject, state: "none" as const, reason: "both ends fail" };
  expect(foundOf(none)).toBe("none; both ends fail");
});

it("tells of a dot what its level said", () => {
  const [failed, open] = subject.trials;
  expect(failed && trialText(failed, metric)).toBe("1Mbit/s fails: Stalls 3");
  expect(open && trialText(open, metric)).toBe("3Mbit/s being tried");
  expect(ruleOf(told)).toBe("at most 0");
});

it("puts levels between the ends", () => {
  const at = placeOf(told);
  expect([at(1e6), at(5e6), at(9e6)]).toEqual([0, 0.5, 1]);
});

it("has a row for each level that was tried", () => {
  const { columns, rows } = tableOf(told);
  expect(columns).toEqual([
    "server.congestion_control",
    "replicate",
    "found",
    "tried",
    "verdict",
    "stall_count",
  ]);
  expect(rows[0]).toEqual(["reno", null, null, "1Mbit/s", "failed", 3]);
  expect(rows).toHaveLength(3);
});
