import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import type { Schema } from "#/api/client";
import { open } from "#/testing/open";
import { campaign, failedRun, me, problem, serve } from "#/testing/platform";

const PATIENCE = { timeout: 30_000 };
const HERE = `/api/v1/campaigns/${campaign.id}`;

const progress: Schema<"Progress"> = {
  state: "active",
  run_count: 10,
  expanded: 10,
  ended: 6,
  counts: campaign.counts,
  runs_per_s: 0.5,
  speed: 60,
  eta_s: 90,
  search: null,
  kernel_build: null,
};

const inside = {
  "GET /api/v1/me": () => me,
  "GET /api/v1/session": () => ({ auth: "login", single_sign_on: "Campus login" }),
  "GET /api/v1/teams/qoe/campaigns": () => ({ items: [campaign], next: null }),
  [`GET ${HERE}`]: () => campaign,
  [`GET ${HERE}/progress`]: () => progress,
  [`GET ${HERE}/grid`]: () => ({
    items: ["cubic", "illinois"].map((control, number) => ({
      number,
      levels: { "server.congestion_control": control },
      counts: { succeeded: 2, failed: 1, queued: 2 },
    })),
    next: null,
  }),
  [`GET ${HERE}/runs`]: () => ({ items: [failedRun], next: null }),
};

beforeEach(() => localStorage.clear());
it("leads from the address alone to a team's campaigns", async () => {
  serve(inside);
  open("/");
  const link = await screen.findByRole("link", { name: "quickstart" });
  expect(link).toHaveAttribute("href", `/teams/qoe/campaigns/${campaign.id}`);
  expect(window.location.pathname).toBe("/teams/qoe/campaigns");
  expect(screen.getByText("2 failed or invalid")).toBeVisible();
});

it("sends those who are not signed in to the sign-in page, and back", async () => {
  let signedIn = false;
  const asked = serve({
    ...inside,
    "GET /api/v1/me": () => (signedIn ? me : problem(401, "Sign in first")),
    "POST /api/v1/session": () => {
      signedIn = true;
      return new Response(null, { status: 204 });
    },
  });
  open("/teams/qoe/campaigns?name=quick");
  await userEvent.type(await screen.findByLabelText(/E-mail/), "ada@example.org");
  await userEvent.type(screen.getByLabelText(/^Password/), "a long secret");
  expect(screen.getByRole("link", { name: "Sign in with Campus login" })).toHaveAttribute(
    "href",
    "/api/v1/oidc/login?next=%2Fteams%2Fqoe%2Fcampaigns%3Fname%3Dquick",
  );
  await userEvent.click(screen.getByRole("button", { name: "Sign in" }));
  await screen.findByRole("link", { name: "quickstart" });
  expect(asked).toContain("GET /api/v1/teams/qoe/campaigns?name_part=quick&limit=50");
});

it("does not lead to other sites after signing in", async () => {
  serve({ "GET /api/v1/session": inside["GET /api/v1/session"] });
  open("/sign-in?after=//evil.example");
  const link = await screen.findByRole("link", { name: "Sign in with Campus login" });
  expect(link).toHaveAttribute("href", "/api/v1/oidc/login?next=%2F");
});

it("shows a campaign's failures with their reason, and pauses it", async () => {
  const asked = serve({
    ...inside,
    [`POST ${HERE}/pause`]: () => ({ ...campaign, state: "paused" }),
  });
  open(`/teams/qoe/campaigns/${campaign.id}`);
  expect(await screen.findByText("2 of 10 runs did not succeed")).toBeVisible();
  expect(await screen.findByText(failedRun.reason)).toBeVisible();
  expect(await screen.findByText("1 min 30 s")).toBeInTheDocument();
  await userEvent.click(await screen.findByRole("button", { name: "Pause" }));
  await vi.waitFor(() => expect(asked).toContain(`POST ${HERE}/pause`), PATIENCE);
});

it("shows how far the kernel is that a campaign waits for", async () => {
  const what = "CC net/ipv4/tcp_output.o";
  const kernel_build = { number: 2, of: 3, done: 30, total: 40, what, host: "builder" };
  serve({ ...inside, [`GET ${HERE}/progress`]: () => ({ ...progress, kernel_build }) });
  open(`/teams/qoe/campaigns/${campaign.id}`);
  expect(await screen.findByText("Building kernel 2 of 3 on builder, 75 %")).toBeVisible();
  expect(screen.getByText(what)).toBeVisible();
});

it("filters the runs by the cell that is picked, in the URL", async () => {
  const asked = serve(inside);
  open(`/teams/qoe/campaigns/${campaign.id}`);
  const grid = await screen.findByRole("application");
  grid.focus();
  await userEvent.keyboard("{ArrowRight}{ArrowRight}{Enter}");
  await screen.findByText("congestion control = illinois");
  const level = "level.server.congestion_control=illinois";
  await vi.waitFor(() => expect(asked.some((each) => each.includes(level))).toBe(true), PATIENCE);
  expect(new URLSearchParams(window.location.search).get("levels")).toBe(
    '{"server.congestion_control":"illinois"}',
  );
});

it("offers nothing to those who may only read", async () => {
  serve({ ...inside, "GET /api/v1/teams/cdn/campaigns": () => ({ items: [], next: null }) });
  open(`/teams/cdn/campaigns/${campaign.id}`);
  await screen.findByText("2 of 10 runs did not succeed");
  expect(screen.queryByRole("button", { name: "Pause" })).toBeNull();
});

it("says when the server does not answer, and goes on when it does", async () => {
  let up = true;
  serve({
    ...inside,
    "GET /api/v1/health/live": () => ({}),
    "GET /api/v1/teams/qoe/campaigns": () => ({ items: [{ ...campaign, state: "paused" }] }),
  });
  const answering = globalThis.fetch;
  vi.stubGlobal("fetch", (request: Request) =>
    up ? answering(request) : Promise.reject(new TypeError("Failed to fetch")),
  );
  open("/teams/qoe/campaigns");
  await screen.findByRole("link", { name: "quickstart" });
  up = false;
  await userEvent.click(screen.getByText("finished"));
  const banner = /What you see may be old/;
  expect(await screen.findByText(banner)).toBeVisible();
  up = true;
  await vi.waitFor(() => expect(screen.queryByText(banner)).toBeNull(), PATIENCE);
  expect(await screen.findByRole("link", { name: "quickstart" })).toBeVisible();
});
