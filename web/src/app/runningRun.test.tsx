import { screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { Schema } from "#/api/client";
import type { Panel } from "#/shared/plots/stack/panel";
import { open } from "#/testing/open";
import { campaign, failedRun, me, serve } from "#/testing/platform";

// A drawing needs a canvas, which jsdom does not have: which panels there are is what matters here.
vi.mock("#/shared/plots/stack/TimeStack", () => ({
  TimeStack: ({ panels }: { panels: readonly Panel[] }) =>
    panels.map(({ title }) => <h3 key={title}>{title}</h3>),
}));

type Run = Schema<"RunDetail">;

const running: Run = {
  ...failedRun,
  state: "running",
  reason: "",
  wall_s: null,
  ended_at: null,
  campaign: campaign.name,
  history: [],
  film_s: null,
  size_bytes: null,
  kernel: {},
  roles: {},
  host: {},
  traceback: "",
  notes: [],
  checks: [],
  commands: [],
  experiment: {
    clock: "virtual",
    duration_s: 1200,
    content: { bitrates_bps: [248_000] },
    clients: [{ player: "bola", start_s: 0, stop_s: null }],
    gateway: {},
  },
  events: [],
  whatif_clients: [],
};

const curve = (kind: string, t_s: number[]): Schema<"CurveOut"> => ({
  kind,
  unit: "",
  shape: "line",
  client: kind === "link_rate" ? null : 1,
  flow: null,
  path: null,
  t_s,
  values: t_s.map(() => 10),
  labels: [],
  samples: t_s.length,
});

/** cwnd: the times of its samples now. buffer: likewise. */
function serveRun(run: Run, cwnd: () => number[], buffer: number[] = []): string[] {
  return serve({
    "GET /api/v1/me": () => me,
    [`GET /api/v1/runs/${run.id}`]: () => run,
    [`GET /api/v1/runs/${run.id}/series`]: ({ url }) => {
      const kinds = new URL(url).searchParams.get("kinds")?.split(",") ?? [];
      const curves = [
        ...(kinds.includes("link_rate") ? [curve("link_rate", [0, 1200])] : []),
        ...(kinds.includes("buffer") && buffer.length > 0 ? [curve("buffer", buffer)] : []),
        ...(kinds.includes("cwnd") && cwnd().length > 0 ? [curve("cwnd", cwnd())] : []),
      ];
      return { run_id: run.id, duration_s: 1200, from_s: 0, to_s: 1200, points: 4000, curves };
    },
  });
}

afterEach(() => {
  vi.useRealTimers();
});

it("draws what a running run has recorded, and asks for more", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let cwnd: number[] = [];
  const asked = serveRun(running, () => cwnd);
  open(`/teams/qoe/runs/${running.id}`);
  expect(await screen.findByText("This run is running")).toBeVisible();
  expect(await screen.findByText("Nothing is recorded yet")).toBeVisible();
  cwnd = [1, 2, 3];
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await screen.findByRole("heading", { name: "cwnd, ssthresh" })).toBeVisible();
  expect(screen.queryByText("Nothing is recorded yet")).toBeNull();
  const before = asked.filter((each) => each.includes("/series")).length;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(asked.filter((each) => each.includes("/series")).length).toBeGreaterThan(before);
});

it("draws a run on the real clock by what its players have done", async () => {
  const real = { ...running, experiment: { ...running.experiment, clock: "real" } };
  serveRun(real, () => [], [1, 2, 3]);
  open(`/teams/qoe/runs/${running.id}`);
  expect(await screen.findByText(/Its players are drawn as far as they have come/)).toBeVisible();
  expect(await screen.findByRole("heading", { name: "Buffer" })).toBeVisible();
  expect(screen.queryByRole("heading", { name: "cwnd, ssthresh" })).toBeNull();
});

it("asks for no curves of a run that has not begun", async () => {
  const asked = serveRun({ ...running, state: "queued" }, () => [1, 2]);
  open(`/teams/qoe/runs/${running.id}`);
  expect(await screen.findByText(/Its curves and metrics come when it has ended/)).toBeVisible();
  expect(await screen.findByText(/nothing to draw of a run that is queued/)).toBeVisible();
  expect(asked.filter((each) => each.includes("/series"))).toEqual([]);
});
