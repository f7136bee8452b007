import { expect, it } from "vitest";
import { sdkOf } from "#/shared/copy/formats";
import { failedRun } from "#/testing/platform";
import { staysInPlace, withRuns } from "./queries";
import { askedFor, runsTable } from "./runsTaken";

it("brings runs up to date where they stand, and leaves other pages as they are", () => {
  const running = { ...failedRun, state: "running" } as const;
  const pages = [
    {
      items: [
        { ...running, id: 1 },
        { ...running, id: 2 },
      ],
      next: ">i:2",
    },
    { items: [{ ...running, id: 3 }], next: null },
  ];
  const before = { pages, pageParams: [null, ">i:2"] };
  const after = withRuns(before, [{ ...running, id: 2, state: "succeeded" }]);
  expect(after.pages[0]?.items.map(({ state }) => state)).toEqual(["running", "succeeded"]);
  expect(after.pages[1]).toBe(pages[1]);
  expect(after.pageParams).toBe(before.pageParams);
});

it("knows in which lists runs do not move", () => {
  expect(staysInPlace({})).toBe(true);
  expect(staysInPlace({ sort: "-position", levels: { cc: "cubic" } })).toBe(true);
  expect(staysInPlace({ sort: "wall_s" })).toBe(false);
  expect(staysInPlace({ state: ["running"] })).toBe(false);
});

it("takes runs along as a table, and as the call that lists them", () => {
  const run = { ...failedRun, metrics: { cng: 0.5 } };
  expect(runsTable([run], ["server.congestion_control", "film"], ["cng", "froff"])).toEqual({
    columns: [
      "run",
      "state",
      "server.congestion_control",
      "film",
      "replicate",
      "seed",
      "cng",
      "froff",
      "wall_s",
    ],
    rows: [[7, "failed", "cubic", null, 4, "1", 0.5, null, 1.5]],
  });
  const asked = askedFor("c1", { state: ["failed"], sort: "-cng", metrics: ["cng"] });
  expect(sdkOf(asked, "http://weir", false)).toContain(
    'weir.list_runs("c1", state=["failed"], sort="-cng", metric=["cng"])',
  );
});
