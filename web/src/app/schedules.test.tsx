import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Schema } from "#/api/client";
import { open } from "#/testing/open";
import { campaign, me, problem, serve } from "#/testing/platform";

const submitted = { files: {}, overrides: {}, replicates: null, seed: null, priority: 0 };
const schedule: Schema<"ScheduleDetail"> = {
  id: "6f0d0000-0000-4000-8000-000000000005",
  name: "nightly",
  cron: "30 2 * * *",
  timezone: "UTC",
  overlap: "skip",
  missed: "once",
  enabled: true,
  created_by: null,
  created_at: "2026-11-21T09:00:00Z",
  next_at: "2026-11-22T02:30:00Z",
  baseline: "last-good",
  most_replicates: 96,
  subjects: [],
  mail_to: [],
  badge: null,
  effects: {},
  last: null,
  campaign: { document: "name: quickstart", ...submitted },
};
const HERE = `/api/v1/schedules/${schedule.id}`;
const bodies: unknown[] = [];
const kept = async (request: Request): Promise<Response> => {
  bodies.push(await request.json());
  return Response.json(schedule);
};
const answers = {
  "GET /api/v1/me": () => me,
  "GET /api/v1/session": () => ({ auth: "login", single_sign_on: null }),
  "GET /api/v1/library/campaigns": () => [],
  ...Object.fromEntries<() => unknown>(
    ["qoe", "cdn"].flatMap((team) => [
      [`GET /api/v1/teams/${team}/campaigns`, () => ({ items: [campaign], next: null })],
      [`GET /api/v1/teams/${team}/schedules`, () => ({ items: [schedule], next: null })],
      [`GET /api/v1/teams/${team}/schedules/preview`, () => []],
    ]),
  ),
  [`GET ${HERE}`]: () => schedule,
  [`GET ${HERE}/ticks`]: () => ({ items: [], next: null }),
  "GET /api/v1/library/choices": () => ({ players: [], congestion_controls: [], metrics: [] }),
  [`GET ${HERE}/board`]: () => ({ campaign: null, night: null, points: [] }),
  [`GET ${HERE}/alarms`]: () => ({ items: [], next: null }),
  [`PATCH ${HERE}`]: kept,
};

beforeEach(() => {
  localStorage.clear();
  bodies.length = 0;
});
afterEach(() => vi.unstubAllGlobals());

it("lists schedules in words, and switches one off", async () => {
  serve(answers);
  open("/teams/qoe/schedules");
  expect(await screen.findByRole("link", { name: "nightly" })).toBeVisible();
  expect(screen.getByText(/At 02:30/)).toBeInTheDocument();
  await userEvent.click(screen.getByRole("switch", { name: "nightly is on" }));
  await vi.waitFor(() => expect(bodies).toEqual([{ enabled: false }]), { timeout: 30_000 });
});

it("puts another campaign into a schedule, and leaves the rest as it is", async () => {
  serve(answers);
  open(`/teams/qoe/schedules/${schedule.id}`);
  await userEvent.click(await screen.findByRole("button", { name: "Edit" }));
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.click(dialog.getByLabelText(/Campaign/, { selector: "input" }));
  await userEvent.click(await screen.findByText(/^quickstart of/));
  await userEvent.click(dialog.getByRole("button", { name: "Save" }));
  const { name, cron, timezone, overlap, missed, baseline, most_replicates } = schedule;
  const timing = { name, cron, timezone, overlap, missed, baseline, most_replicates };
  const wanted = [{ ...timing, campaign_id: campaign.id }];
  await vi.waitFor(() => expect(bodies).toEqual(wanted), { timeout: 30_000 });
});

it("takes the night of a release as the baseline, or says why not", async () => {
  const remedy = "run it as a night, and choose it then";
  const wrong = { path: "baseline.version", value: "v2.1", allowed: "what a night ran", remedy };
  const refused = { type: "/problems/x", title: "1 problem", status: 422, problems: [wrong] };
  let ran = false;
  serve({
    ...answers,
    [`PATCH ${HERE}`]: (request: Request) =>
      ran ? kept(request) : Response.json(refused, { status: 422 }),
  });
  open(`/teams/qoe/schedules/${schedule.id}`);
  await userEvent.click(await screen.findByRole("button", { name: "Edit" }));
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.click(dialog.getByLabelText("Compare each campaign with", { selector: "input" }));
  await userEvent.click(await screen.findByText("the night of a commit or release"));
  await userEvent.type(dialog.getByLabelText(/Commit or release/), "v2.1");
  await userEvent.click(dialog.getByRole("button", { name: "Save" }));
  expect(await dialog.findByText(remedy)).toBeVisible();
  ran = true;
  await userEvent.click(dialog.getByRole("button", { name: "Save" }));
  await vi.waitFor(
    () => expect(bodies).toMatchObject([{ name: "nightly", baseline: { version: "v2.1" } }]),
    { timeout: 30_000 },
  );
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

it("shows the newest night, its alarms and the trend of what is worse", async () => {
  const values = { n: 24, mean: 2.3, low: 2.1, high: 2.5, replicates: null };
  const compared = { before: 1.2, difference: 1.1, verdict: "worse" };
  const of = { levels: { "server.congestion_control": "reno" }, metric: "stall_mean_s" };
  const point = { ...values, ...compared, mark: "worse" };
  const night = {
    ...{ baseline: campaign.id, verdict: "worse", worse: 1, better: 0, changed: 1 },
    ...{ combinations: 1, told: [], at: "2026-11-22T02:40:00Z" },
  };
  const alarm = {
    ...{ id: 3, trend: 9, ...of, before: 1.2, difference: 1.1, note: "", muted_until: null },
    ...{ opened_at: "2026-11-22T02:40:00Z", opened_by: campaign.id, worse_in: campaign.id },
    ...{ closed_at: null, closed_by: null, acknowledged_at: null, acknowledged_by: null },
  };
  const changes: unknown[] = [];
  serve({
    ...answers,
    [`GET ${HERE}/board`]: () => ({
      ...{ campaign: campaign.id, night },
      points: [{ trend: 9, ...of, ...point }],
    }),
    [`GET ${HERE}/alarms`]: () => ({ items: [alarm], next: null }),
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
  const user = userEvent.setup();
  const entry = { name: "weir_sdk" };
  await vi.waitFor(
    async () => {
      // A panel that is drawn anew meanwhile has its menu closed.
      if (screen.queryByRole("menuitem", entry) === null)
        await user.click(screen.getByRole("button", { name: /^Download stall_mean_s at / }));
      await user.click(await screen.findByRole("menuitem", entry, { timeout: 2_000 }));
    },
    { timeout: 30_000, interval: 100 },
  );
  expect(await navigator.clipboard.readText()).toContain("found = weir.show_trend(9)");
  await userEvent.click(screen.getByRole("button", { name: "acknowledge" }));
  await vi.waitFor(() => expect(changes).toEqual([{ acknowledged: true }]), { timeout: 30_000 });
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

it("says beside the field what is wrong with it", async () => {
  const refusal = {
    ...{ type: "/problems/unprocessable", title: "The input has errors", status: 422, detail: "" },
    problems: [{ path: "cron", value: "x", allowed: "five fields", remedy: "give five fields" }],
  };
  serve({ ...answers, [`PATCH ${HERE}`]: () => Response.json(refusal, { status: 422 }) });
  open(`/teams/qoe/schedules/${schedule.id}`);
  await userEvent.click(await screen.findByRole("button", { name: "Edit" }));
  await userEvent.click(await screen.findByRole("button", { name: "Save" }));
  expect(await screen.findByRole("alert")).toHaveTextContent("give five fields");
  expect(screen.getByRole("dialog")).toBeInTheDocument();
});

const SUBJECT = {
  ...{ name: "player.py", repository: "https://git.example.org/player.git", branch: "main" },
  path: "abr.py",
};

async function fill(field: HTMLElement, text: string): Promise<void> {
  await userEvent.clear(field);
  await userEvent.paste(text);
}

it("takes a file from git, and says beside its fields what is wrong", async () => {
  const refusal = {
    ...{ type: "/problems/unprocessable", title: "The input has errors", status: 422, detail: "" },
    problems: [
      { path: "subjects.player.py.branch", value: "x", allowed: "a branch of it", remedy: "gone" },
      { path: "subjects.player.py.secret_token", value: null, allowed: "", remedy: "wrong token" },
    ],
  };
  let accepted = false;
  serve({
    ...answers,
    [`PATCH ${HERE}`]: async (request: Request) => {
      bodies.push(await request.json());
      return accepted ? Response.json(schedule) : Response.json(refusal, { status: 422 });
    },
  });
  open(`/teams/qoe/schedules/${schedule.id}`);
  await userEvent.click(await screen.findByRole("button", { name: "Edit" }));
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.click(dialog.getByRole("button", { name: "Add a file" }));
  const file = within(dialog.getByRole("group", { name: "File under test 1" }));
  await fill(file.getByLabelText(/File of the campaign/), SUBJECT.name);
  await fill(file.getByLabelText(/Repository/), SUBJECT.repository);
  await fill(file.getByLabelText(/Path in it/), SUBJECT.path);
  await fill(file.getByLabelText("Token"), "glpat-secret");
  await userEvent.click(dialog.getByRole("button", { name: "Save" }));
  expect(await file.findByText("wrong token")).toBeVisible();
  expect(file.getByLabelText("Token")).toBeInvalid();
  expect(file.getByLabelText(/Branch/)).toBeInvalid();
  expect(file.getByLabelText(/Repository/)).toBeValid();
  accepted = true;
  await userEvent.click(dialog.getByRole("button", { name: "Save" }));
  await vi.waitFor(() => expect(bodies).toHaveLength(2), { timeout: 30_000 });
  const given = { ...SUBJECT, secret_token: "glpat-secret", secret_key: null };
  expect(bodies[1]).toMatchObject({ subjects: [given] });
});

it("keeps a secret with its repository, and asks for a key where ssh is used", async () => {
  const kept = { ...SUBJECT, secret: "token" as const };
  serve({ ...answers, [`GET ${HERE}`]: () => ({ ...schedule, subjects: [kept] }) });
  open(`/teams/qoe/schedules/${schedule.id}`);
  await userEvent.click(await screen.findByRole("button", { name: "Edit" }));
  const dialog = within(await screen.findByRole("dialog"));
  const token = dialog.getByLabelText("Token");
  expect(token).toHaveValue("");
  expect(token).toHaveAttribute("placeholder", "as it is; it is not shown");
  await fill(token, "typed");
  const repository = dialog.getByLabelText(/Repository/);
  await fill(repository, "git@git.example.org:player.git");
  expect(dialog.queryByLabelText("Token")).toBeNull();
  await fill(dialog.getByLabelText("Private key"), "a key");
  await userEvent.click(dialog.getByRole("button", { name: "Save" }));
  const moved = { ...SUBJECT, repository: "git@git.example.org:player.git", secret_token: null };
  await vi.waitFor(
    () => expect(bodies).toMatchObject([{ subjects: [{ ...moved, secret_key: "a key" }] }]),
    { timeout: 30_000 },
  );
});

it("chooses who is told, and takes a file out", async () => {
  const grace = { email: "grace@example.org", name: "Grace", role: "read" };
  const member = { ...grace, user_id: "6f0d0000-0000-4000-8000-000000000009" };
  const kept = { ...SUBJECT, secret: "none" as const };
  const asked = serve({
    ...answers,
    [`GET ${HERE}`]: () => ({ ...schedule, mail_to: ["ada@example.org"], subjects: [kept] }),
    "GET /api/v1/teams/qoe/members": () => ({ items: [member], next: null }),
  });
  open(`/teams/qoe/schedules/${schedule.id}`);
  await userEvent.click(await screen.findByRole("button", { name: "Edit" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(dialog.getByText("ada@example.org")).toBeVisible();
  expect(asked.filter((each) => each.includes("/members"))).toEqual([]);
  await userEvent.click(dialog.getByLabelText(/Told by e-mail/, { selector: "input" }));
  await userEvent.click(await screen.findByText("Grace, grace@example.org"));
  await userEvent.click(dialog.getByRole("button", { name: "Take it out" }));
  await userEvent.click(dialog.getByRole("button", { name: "Save" }));
  const told = ["ada@example.org", "grace@example.org"];
  await vi.waitFor(() => expect(bodies).toMatchObject([{ mail_to: told, subjects: [] }]), {
    timeout: 30_000,
  });
});

it("lets those who may only read look, and nothing more", async () => {
  serve(answers);
  open("/teams/cdn/schedules");
  expect(await screen.findByRole("switch", { name: "nightly is on" })).toBeDisabled();
  expect(screen.queryByRole("button", { name: "New schedule" })).toBeNull();
  await userEvent.click(screen.getByRole("link", { name: "nightly" }));
  expect(await screen.findByText("What it submits")).toBeVisible();
  for (const name of ["Edit", "Delete", "Run now"])
    expect(screen.queryByRole("button", { name })).toBeNull();
});

it("shows why a schedule cannot be shown", async () => {
  serve({ ...answers, [`GET ${HERE}`]: () => problem(404, "There is no such thing") });
  open(`/teams/qoe/schedules/${schedule.id}`);
  expect(await screen.findByRole("alert")).toHaveTextContent("There is no such thing");
});
