import { expect, it } from "vitest";
import { told } from "./events";

it("says of a run which one it was, what became of it and why", () => {
  const data = { run_id: 71, position: 3, state: "failed", reason: "the server role died" };
  expect(told({ kind: "run.ended", data })).toEqual({
    ...{ what: "run 71", why: "the server role died", state: "failed", run: 71 },
  });
});

it("says what troubles a campaign's pods", () => {
  const data = { trouble: "memory", reason: "its memory ran out", pod: "batch-1", jobs: 2 };
  expect(told({ kind: "campaign.trouble", data })).toMatchObject({
    ...{ what: "trouble: memory", why: "its memory ran out", run: null },
  });
});
