import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { open } from "#/testing/open";
import { campaign, serve } from "#/testing/platform";
import { answersInto, HERE, schedule } from "#/testing/schedules";

const bodies: unknown[] = [];
const answers = answersInto(bodies);

beforeEach(() => {
  localStorage.clear();
  bodies.length = 0;
});
it("says which version a baseline that was chosen ran", async () => {
  serve({
    ...answers,
    [`GET ${HERE}`]: () => ({ ...schedule, baseline: campaign.id }),
    [`GET /api/v1/campaigns/${campaign.id}`]: () => ({
      ...campaign,
      subjects: { "player.py": "v2.1" },
    }),
  });
  open(`/teams/qoe/schedules/${schedule.id}`);
  expect(await screen.findByText(/player.py/)).toBeVisible();
  expect(screen.getByText(/v2\.1/)).toBeVisible();
});

it("shows what became worse, and takes a campaign as the baseline", async () => {
  const night = {
    ...{ baseline: campaign.id, verdict: "worse", worse: 2, better: 0, changed: 1 },
    ...{ combinations: 4, told: ["worse: Mean stall 1.2 -> 2.3 s"], at: "2026-11-22T02:40:00Z" },
  };
  const tick = {
    ...{ id: 7, due_at: "2026-11-22T02:30:00Z", at: "2026-11-22T02:30:01Z" },
    ...{ outcome: "submitted", detail: "", campaign: campaign.id, night },
    subjects: { "player.py": "3f2a91c0d5e7b8a9" },
  };
  serve({ ...answers, [`GET ${HERE}/ticks`]: () => ({ items: [tick], next: null }) });
  open(`/teams/qoe/schedules/${schedule.id}`);
  expect(await screen.findByText("the last one shown to be not worse")).toBeVisible();
  expect(await screen.findByText("player.py 3f2a91c0d5e7")).toBeVisible();
  await userEvent.hover(await screen.findByText("2 worse"));
  expect(await screen.findByText("worse: Mean stall 1.2 -> 2.3 s")).toBeInTheDocument();
  await userEvent.click(screen.getByRole("button", { name: "take as baseline" }));
  await vi.waitFor(() => expect(bodies).toEqual([{ baseline: campaign.id }]), { timeout: 30_000 });
});

const of = { levels: { "server.congestion_control": "reno" }, metric: "stall_mean_s" };
const night = {
  ...{ baseline: campaign.id, verdict: "worse", worse: 1, better: 0, changed: 1 },
  ...{ combinations: 1, told: [], at: "2026-11-22T02:40:00Z" },
};
const point = {
  ...{ n: 24, mean: 2.3, low: 2.1, high: 2.5, replicates: null },
  ...{ before: 1.2, difference: 1.1, verdict: "worse", mark: "worse" },
};
/** A schedule with a night that is worse in one metric. */
const withNight = {
  ...answers,
  [`GET ${HERE}/board`]: () => ({
    ...{ campaign: campaign.id, night },
    points: [{ trend: 9, ...of, ...point }],
  }),
  "GET /api/v1/trends/9": () => ({
    ...{ id: 9, schedule: schedule.id, ...of, unit: "s" },
    points: [
      {
        ...{ ...point, campaign: campaign.id, at: "2026-11-22T02:30:00Z" },
        ...{ subjects: {}, kernel_hash: "k", roles_hash: "r" },
      },
    ],
  }),
  "GET /api/v1/trends/9/pairs": () => [{ a: 31, b: 47, before: 1.2, after: 2.3 }],
};

const MENU = { name: /^Download stall_mean_s at / };

/** An entry of the trend's menu. */
async function choose(name: string): Promise<void> {
  const user = userEvent.setup();
  await vi.waitFor(
    async () => {
      // A panel that is drawn anew meanwhile has its menu closed. Of an open one that is slow to
      // show its entries, another click would close it.
      const button = screen.getByRole("button", MENU);
      if (button.getAttribute("aria-expanded") !== "true") await user.click(button);
      await user.click(
        await screen.findByText(name, { selector: "[role=menuitem] *" }, { timeout: 10_000 }),
      );
    },
    { timeout: 90_000, interval: 100 },
  );
}

it("shows the newest night, its alarms and the trend of what is worse", async () => {
  const alarm = {
    ...{ id: 3, trend: 9, ...of, before: 1.2, difference: 1.1, note: "", muted_until: null },
    ...{ opened_at: "2026-11-22T02:40:00Z", opened_by: campaign.id, worse_in: campaign.id },
    ...{ closed_at: null, closed_by: null, acknowledged_at: null, acknowledged_by: null },
  };
  const changes: unknown[] = [];
  serve({
    ...withNight,
    [`GET ${HERE}/alarms`]: () => ({ items: [alarm], next: null }),
    "PATCH /api/v1/alarms/3": async (request: Request) => {
      changes.push(await request.json());
      return Response.json(alarm);
    },
  });
  open(`/teams/qoe/schedules/${schedule.id}`);
  const field = await screen.findByRole("button", {
    name: "stall_mean_s at congestion control reno: +92 %, worse",
  });
  expect(field).toHaveAttribute("aria-pressed", "true");
  expect(await screen.findByRole("link", { name: /beside the baseline/ })).toHaveAttribute(
    "href",
    expect.stringContaining("metric=stall_mean_s"),
  );
  expect(await screen.findByRole("link", { name: /median change part/ })).toHaveAttribute(
    "href",
    "/teams/qoe/compare/runs?a=31&b=47",
  );
  expect(screen.getByText("worse from here on")).toBeVisible();
  await choose("weir_sdk");
  expect(await navigator.clipboard.readText()).toContain("found = weir.show_trend(9)");
  await userEvent.click(screen.getByRole("button", { name: "acknowledge" }));
  await vi.waitFor(() => expect(changes).toEqual([{ acknowledged: true }]), { timeout: 30_000 });
});

it("keeps a trend as a card of its nights, with the address that draws it again", async () => {
  serve({
    ...withNight,
    "POST /api/v1/teams/qoe/cards": async (request: Request) => {
      bodies.push(await request.json());
      return Response.json({ id: "6f0d0000-0000-4000-8000-000000000009" }, { status: 201 });
    },
  });
  open(`/teams/qoe/schedules/${schedule.id}`);
  await screen.findByRole("button", MENU);
  await choose("Keep as a card");
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText(/the keys of its nights’ runs at this combination/)).toBeVisible();
  await userEvent.click(dialog.getByRole("button", { name: "Keep it" }));
  const view = `/teams/qoe/schedules/${schedule.id}?trend=9`;
  await vi.waitFor(
    () => expect(bodies).toMatchObject([{ trend: 9, campaigns: [campaign.id], runs: [], view }]),
    { timeout: 30_000 },
  );
});

it("draws the trend that the address names, and names the one that was clicked", async () => {
  const metric = "jain";
  serve({
    ...withNight,
    [`GET ${HERE}/board`]: () => ({
      ...{ campaign: campaign.id, night },
      points: [9, 10].map((trend) => ({ trend, ...of, ...point, ...(trend === 10 && { metric }) })),
    }),
    "GET /api/v1/trends/10": () => ({
      id: 10,
      schedule: schedule.id,
      ...of,
      metric,
      unit: "",
      points: [],
    }),
    "GET /api/v1/trends/10/pairs": () => [],
  });
  open(`/teams/qoe/schedules/${schedule.id}?trend=10`);
  const named = await screen.findByRole("button", { name: /^jain at/ });
  expect(named).toHaveAttribute("aria-pressed", "true");
  await userEvent.click(screen.getByRole("button", { name: /^stall_mean_s at/ }));
  await vi.waitFor(() => expect(window.location.search).toBe("?trend=9"), { timeout: 30_000 });
  expect(screen.getByRole("button", { name: /^stall_mean_s at/ })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
});

it("says what a schedule without a night will show", async () => {
  serve(answers);
  open(`/teams/qoe/schedules/${schedule.id}`);
  expect(await screen.findByText("No night yet")).toBeVisible();
});

it("asks for the commit that made a night worse, and tells what was found", async () => {
  const night = {
    ...{ baseline: campaign.id, verdict: "worse", worse: 1, better: 0, changed: 1 },
    ...{ combinations: 1, told: [], at: "2026-11-22T02:40:00Z" },
  };
  const where = { repository: "https://git.example.org/player.git", branch: "main" };
  const subject = { name: "player.py", ...where, path: "abr.py", secret: "none" };
  const commit = "3f2a91c0d5e7b8a9";
  const bisection = {
    ...{ id: "0b9f3a52-8f6e-4a6e-9d3e-2f1f4c1b7a11", schedule: schedule.id, subject: "player.py" },
    ...{ good: campaign.id, bad: campaign.id, state: "found", first_bad: commit, left: 1 },
    ...{ campaign: null, created_at: "2026-11-22T02:50:00Z", ended_at: null },
    steps: [{ commit, campaign: campaign.id, outcome: "bad", told: ["worse: Mean stall"] }],
    told: [`the first bad commit is ${commit}: Ask later (Ada, 2026-11-21)`],
  };
  const items: unknown[] = [];
  const asked: unknown[] = [];
  serve({
    ...answers,
    [`GET ${HERE}`]: () => ({ ...schedule, subjects: [subject] }),
    [`GET ${HERE}/board`]: () => ({ campaign: campaign.id, night, points: [] }),
    [`GET ${HERE}/alarms`]: () => ({ items: [], next: null }),
    [`GET ${HERE}/bisections`]: () => ({ items, next: null }),
    [`POST ${HERE}/bisections`]: async (request: Request) => {
      asked.push(await request.json());
      items.push(bisection);
      return Response.json(bisection, { status: 201 });
    },
  });
  open(`/teams/qoe/schedules/${schedule.id}`);
  await userEvent.click(await screen.findByRole("button", { name: "find the first bad commit" }));
  expect(await screen.findByText(/the first bad commit is 3f2a/)).toBeVisible();
  expect(asked).toEqual([{ bad: campaign.id }]);
  expect(screen.queryByRole("button", { name: "find the first bad commit" })).toBeNull();
});

it("makes a badge, shows it, and ends it", async () => {
  const path = "/api/v1/badges/not-to-be-guessed";
  let badge: string | null = null;
  serve({
    ...answers,
    [`GET ${HERE}`]: () => ({ ...schedule, badge }),
    [`POST ${HERE}/badge`]: () => {
      badge = path;
      return Response.json({ path }, { status: 201 });
    },
    [`DELETE ${HERE}/badge`]: () => {
      badge = null;
      return new Response(null, { status: 204 });
    },
  });
  open(`/teams/qoe/schedules/${schedule.id}`);
  await userEvent.click(await screen.findByRole("button", { name: "make one" }));
  expect(await screen.findByAltText("the newest verdict")).toHaveAttribute("src", path);
  await userEvent.click(screen.getByRole("button", { name: "end it" }));
  expect(await screen.findByRole("button", { name: "make one" })).toBeVisible();
});
