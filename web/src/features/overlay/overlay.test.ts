// @vitest-environment node
import { expect, it } from "vitest";
import { meanOf, nearestOf, spread, typicalOf } from "./chosen";
import { envelope, at as valueAt } from "./envelope";
import { nearestRun, panelsOf, subjectOf, type Curve } from "./panels";

const valued = (...values: (number | null)[]) => values.map((value, id) => ({ id, value }));

it("finds the run nearest the mean, of those that have a value", () => {
  expect(meanOf(valued(1, null, 8))).toBe(4.5);
  expect(typicalOf(valued(0, 10, 4, null))?.id).toBe(2);
  expect(typicalOf(valued(3, 3))?.id).toBe(0);
  expect(typicalOf(valued())).toBeUndefined();
});

it("draws at most so many, with the ends and the typical one", () => {
  const runs = valued(...Array.from({ length: 500 }, (_, index) => (index * 7) % 500));
  const drawn = spread(runs, 60);
  expect(drawn).toHaveLength(60);
  expect(drawn[0]?.value).toBe(0);
  expect(drawn.at(-1)?.value).toBe(499);
  expect(drawn.map(({ id }) => id)).toContain(typicalOf(runs)?.id);
});

it("lays beside a run those that differ in least, where there are many", () => {
  const levels = (cc: string, rate: number) => ({ levels: { cc, rate } });
  const rates = Array.from({ length: 20 }, (_, index) => index);
  const others = [...rates.map((rate) => levels("bbr", rate)), levels("cubic", 3)];
  expect(nearestOf(levels("cubic", 0), others)).toEqual([levels("bbr", 0), levels("cubic", 3)]);
  expect(nearestOf(levels("reno", 99), others)).toHaveLength(21);
  expect(nearestOf(levels("cubic", 0), others.slice(8, 12))).toHaveLength(4);
});

it("reads steps as they hold, and lines between samples", () => {
  const recorded = { t_s: [1, 3], values: [10, 20] };
  expect(valueAt({ ...recorded, shape: "step" }, 2)).toBe(10);
  expect(valueAt({ ...recorded, shape: "step" }, 9)).toBe(20);
  expect(valueAt({ ...recorded, shape: "line" }, 2)).toBe(15);
  expect(valueAt({ ...recorded, shape: "line" }, 3)).toBe(20);
  expect(valueAt({ ...recorded, shape: "line" }, 9)).toBeNaN();
  expect(valueAt({ ...recorded, shape: "step" }, 0)).toBeNaN();
});

const curve = (values: number[], rest: Partial<Curve> = {}): Curve => ({
  kind: "buffer",
  unit: "s",
  shape: "line",
  client: 1,
  flow: null,
  path: null,
  t_s: values.map((_, index) => index),
  values,
  labels: [],
  samples: values.length,
  ...rest,
});

it("has the median and the ends at each moment, where half of the curves go on", () => {
  const found = envelope([curve([0, 4]), curve([2, 2]), curve([7, 9, 9])], [0, 0.5, 1, 2]);
  expect(found.median).toEqual([2, 2, 4, NaN]);
  expect(found.least).toEqual([0, 2, 2, NaN]);
  expect(found.greatest).toEqual([7, 8, 9, NaN]);
});

const runs = [
  { id: 1, curves: [curve([0, 0]), curve([5, 5], { client: 2 })] },
  { id: 2, curves: [curve([4, 4])] },
  { id: 3, curves: [curve([9, 9], { samples: 1 }), curve([10, 10], { flow: 1 })] },
];

it("marks the typical and the clicked run among the faint ones, and the median of all", () => {
  const [panel] = panelsOf(runs, { typical: 2, chosen: 3 }, 1, 1, "light");
  expect(panel?.series.map(({ name, weight }) => [name, weight])).toEqual([
    ["runs", "faint"],
    ["run 2, nearest the mean", "bold"],
    ["run 3", "bold"],
    ["median", "bold"],
    ["least", undefined],
    ["greatest", undefined],
  ]);
  expect(panel?.series[0]?.parts?.map(({ name }) => name)).toEqual(["run 1", "run 2", "run 3"]);
  expect(panel?.series[3]?.y[0]).toBe(4);
  const bold = panel?.series.filter(({ weight }) => weight === "bold") ?? [];
  const [typical, chosen, median] = bold.map(({ dash }) => dash);
  expect(chosen).not.toEqual(typical);
  expect(median).toEqual(typical);
});

it("finds the run under the pointer", () => {
  expect(nearestRun(runs, { kind: "buffer", path: null }, 1, 0.5, 8)).toBe(3);
  expect(nearestRun(runs, { kind: "buffer", path: null }, 2, 0.5, 8)).toBe(1);
  expect(nearestRun(runs, { kind: "cwnd", path: null }, 1, 0.5, 8)).toBeUndefined();
});

it("has a panel of each path's queue, in which a click finds the run by that path's curve", () => {
  const queue = (path: string, value: number): Curve =>
    curve([value, value], { kind: "queue", client: null, path });
  const both = [
    { id: 1, curves: [queue("wifi", 1), queue("lte", 9)] },
    { id: 2, curves: [queue("wifi", 9), queue("lte", 1)] },
  ];
  const panels = panelsOf(both, { typical: undefined, chosen: undefined }, 1, 1, "light");
  expect(panels.map(({ title }) => title)).toEqual(["Queue on wifi", "Queue on lte"]);
  expect(panels[1]?.series[0]?.parts?.map(({ y }) => y[0])).toEqual([9, 1]);
  const subject = subjectOf(both, 1, "Queue on lte");
  expect(subject).toEqual({ kind: "queue", path: "lte" });
  if (subject !== undefined) expect(nearestRun(both, subject, 1, 0.5, 8)).toBe(1);
});
