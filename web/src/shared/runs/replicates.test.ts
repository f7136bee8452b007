import { expect, it } from "vitest";
import { beside } from "./replicates";

it("steps to the replicates beside a run, and not beyond them", () => {
  const runs = [3, 1, 2].map((replicate) => ({ id: 10 * replicate, replicate }));
  const ids = (id: number) => {
    const { before, after } = beside(runs, id);
    return [before?.id, after?.id];
  };
  expect(ids(20)).toEqual([10, 30]);
  expect(ids(10)).toEqual([undefined, 20]);
  expect(ids(30)).toEqual([20, undefined]);
  expect(ids(99)).toEqual([undefined, undefined]);
});
