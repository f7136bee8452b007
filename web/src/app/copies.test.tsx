import { screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { curlOf, type Asked } from "#/shared/copy/formats";
import { open } from "#/testing/open";
import { campaign, failedRun, me, serve } from "#/testing/platform";

// A drawing needs a canvas, which jsdom does not have: what it can be copied as is what matters here.
const { Drawn } = vi.hoisted(() => ({
  Drawn: ({ asked }: { asked?: Asked }) => (
    <pre>{asked === undefined ? "nothing" : curlOf(asked, "", false)}</pre>
  ),
}));
vi.mock("#/shared/plots/stack/TimeStack", () => ({ TimeStack: Drawn }));
vi.mock("#/shared/plots/Chart", () => ({ Chart: Drawn }));

const HERE = `/api/v1/campaigns/${campaign.id}`;
const metric = (name: string) => ({
  ...{ name, title: name, unit: "s", scope: "run", better: "lower", formula: "", source: "" },
});
const group = (level: string) => ({
  levels: { "server.congestion_control": level },
  ...{ n: 3, distinct: 3, mean: 1, ci_low: 0, ci_high: 2 },
});
const series = (run: number) => ({
  ...{ run_id: run, duration_s: 9, from_s: 0, to_s: 9, points: 600, kinds: [] },
  curves: [],
});

beforeEach(() => {
  serve({
    "GET /api/v1/me": () => me,
    "GET /api/v1/session": () => ({ auth: "login", single_sign_on: null }),
    "GET /api/v1/library/choices": () => ({
      ...{ players: [], congestion_controls: [] },
      metrics: [metric("queueing_delay_mean_s"), metric("mean_bitrate_bps")],
    }),
    [`GET ${HERE}`]: () => campaign,
    [`GET ${HERE}/aggregate`]: () => ({ groups: [group("cubic"), group("bbr")], not_averaged: {} }),
    [`GET ${HERE}/scorecard`]: () => ({
      ...{ factor: "server.congestion_control", level: "cubic", by: [], client: null },
      ...{ metrics: [], scores: [] },
    }),
    [`GET ${HERE}/runs`]: () => ({
      items: [7, 9].map((id) => ({ ...failedRun, id, state: "succeeded" })),
      next: null,
    }),
    "GET /api/v1/runs/7/series": () => series(7),
    "GET /api/v1/runs/9/series": () => series(9),
  });
});
it("copies two weighed metrics as the requests of both", async () => {
  open(`/teams/qoe/campaigns/${campaign.id}/effects`);
  expect(
    await screen.findByText(/^for metric in 'queueing_delay_mean_s' 'mean_bitrate_bps'; do/),
  ).toHaveTextContent(`${HERE}/aggregate`);
});

it("copies runs over each other as the requests of their curves", async () => {
  open(`/teams/qoe/campaigns/${campaign.id}/overlay`);
  expect(await screen.findByText(/^for run in '7' '9'; do/)).toHaveTextContent("even=true");
});
