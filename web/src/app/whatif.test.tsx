import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { Schema } from "#/api/client";
import type { Point } from "#/shared/plots/stack/useStackChart";
import { open } from "#/testing/open";
import { campaign, failedRun, me, problem, serve } from "#/testing/platform";

// A drawing needs a canvas, which jsdom does not have: a click into its first panel is a button here.
vi.mock("#/shared/plots/stack/TimeStack", () => ({
  TimeStack: ({ onPick }: { onPick?: (point: Point) => void }) =>
    onPick && <button onClick={() => onPick({ panel: 0, at: 3, value: 1 })}>segment</button>,
}));

const succeeded: Schema<"RunDetail"> = {
  ...failedRun,
  state: "succeeded",
  reason: "",
  campaign: campaign.name,
  history: [],
  film_s: 20,
  size_bytes: 1,
  kernel: {},
  roles: {},
  host: {},
  traceback: "",
  notes: [],
  checks: [],
  commands: [],
  experiment: {
    clock: "virtual",
    duration_s: 20,
    content: { bitrates_bps: [1e6, 2e6, 3e6] },
    clients: [{ player: "bola", start_s: 0, stop_s: null }],
    gateway: {},
  },
  events: [],
  whatif_clients: [1],
};

const curve = (kind: string, values: number[]): Schema<"CurveOut"> => ({
  kind,
  unit: "",
  shape: "step",
  client: 1,
  flow: null,
  path: null,
  t_s: [0, 2, 4],
  values,
  labels: [],
  samples: 3,
});

const team = (role: "read" | "submit") => ({
  ...me,
  teams: [{ slug: "qoe", name: "QoE lab", role }],
});

function serveRun(
  role: "read" | "submit",
  whatif: (request: Request) => unknown,
  state = () => "queued",
  changes: Partial<Schema<"RunDetail">> = {},
): string[] {
  return serve({
    "GET /api/v1/me": () => team(role),
    [`GET /api/v1/runs/${succeeded.id}`]: () => ({ ...succeeded, ...changes }),
    [`GET /api/v1/runs/${succeeded.id}/series`]: () => ({
      run_id: succeeded.id,
      duration_s: 20,
      from_s: 0,
      to_s: 20,
      points: 4000,
      curves: [curve("level", [0, 1, 2]), curve("segment", [0, 1, 2])],
    }),
    [`POST /api/v1/runs/${succeeded.id}/whatif`]: whatif,
    [`GET /api/v1/campaigns/${campaign.id}/runs`]: () => ({
      items: [{ ...succeeded, id: 99, state: state() }],
      next: null,
    }),
  });
}

it("asks for another level where a segment is clicked, and leads to both runs", async () => {
  let body: unknown;
  let state = "queued";
  const whatif = async (request: Request): Promise<Response> => {
    body = await request.json();
    return Response.json(campaign, { status: 201 });
  };
  serveRun("submit", whatif, () => state);
  open(`/teams/qoe/runs/${succeeded.id}`);
  fireEvent.click(await screen.findByRole("button", { name: "segment" }));
  expect(
    await screen.findByText(/another level than 2 Mbit\/s in segment 1, at 2 s/),
  ).toBeVisible();
  expect(screen.queryByRole("button", { name: /^2\sMbit\/s$/ })).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: /^3\sMbit\/s$/ }));
  expect(await screen.findByText("The run is queued …")).toBeVisible();
  expect(body).toEqual({ client: 1, segment: 1, level: 2 });
  state = "succeeded";
  await waitFor(() => expect(window.location.pathname).toBe("/teams/qoe/compare/runs"));
  expect(new URLSearchParams(window.location.search).get("b")).toBe("99");
});

it("says why the server refuses", async () => {
  serveRun("submit", () => problem(422, "A session has one level"));
  open(`/teams/qoe/runs/${succeeded.id}`);
  fireEvent.click(await screen.findByRole("button", { name: "segment" }));
  fireEvent.click(await screen.findByRole("button", { name: /^1\sMbit\/s$/ }));
  expect(await screen.findByText("A session has one level")).toBeVisible();
  expect(screen.getByRole("button", { name: /^1\sMbit\/s$/ })).toBeEnabled();
});

it.each([
  ["to those who may not submit", "read", [1]],
  ["of players that decide for themselves", "submit", []],
] as const)("offers nothing %s", async (_, role, whatif_clients) => {
  const asked = serveRun(role, () => campaign, undefined, { whatif_clients: [...whatif_clients] });
  open(`/teams/qoe/runs/${succeeded.id}`);
  await waitFor(() => expect(asked.some((each) => each.includes("/series"))).toBe(true));
  expect(await screen.findByText("Bottleneck rate")).toBeVisible();
  expect(screen.queryByText(/what another level would have come to/)).toBeNull();
  expect(screen.queryByRole("button", { name: "segment" })).toBeNull();
});
