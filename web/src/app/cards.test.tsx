import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import type { Schema } from "#/api/client";
import { open } from "#/testing/open";
import { campaign, me, serve } from "#/testing/platform";

const PATIENCE = { timeout: 30_000 };
const ID = "6f0d0000-0000-4000-8000-000000000009";
const HERE = `/api/v1/cards/${ID}`;
const card: Schema<"CardDetail"> = {
  id: ID,
  name: "Figure 3",
  text: "Illinois <b>wins</b>.",
  title: "Mean bitrate",
  view: `/teams/qoe/campaigns/${campaign.id}/results`,
  has_picture: false,
  shared: false,
  created_by: null,
  created_at: "2026-11-21T09:00:00Z",
  numbers: { columns: ["control", "Mbit/s"], rows: [["cubic", 1.5]] },
  campaigns: [
    {
      id: campaign.id,
      name: "quickstart",
      document: "name: quickstart",
      kernel_hash: "0123456789abcdef",
      roles_hash: "r",
      runs: 10,
    },
  ],
  runs: [{ id: 7, key: "0".repeat(32), seed: "1", state: "succeeded" }],
};

const reproduction: Schema<"ReproductionOut"> = {
  id: "6f0d0000-0000-4000-8000-00000000000a",
  verdict: null,
  runs: 12,
  ended: 3,
  same: 3,
  differing: [],
  failed: [],
  left_out: [],
  campaigns: [campaign.id],
  created_by: "ada@example.org",
  created_at: "2026-11-22T09:00:00Z",
  ended_at: null,
};
const estimate: Schema<"ReproductionEstimate"> = {
  runs: 12,
  film_s: 240,
  wall_s: 75,
  jobs: 2,
  left_out: [{ reason: "on the real clock no two runs have the same bytes", runs: 3 }],
  allowed: true,
  refusals: [],
};

let shared = false;
const inside = {
  "GET /api/v1/me": () => me,
  "GET /api/v1/session": () => ({ auth: "login", single_sign_on: null }),
  "GET /api/v1/teams/qoe/cards": () => ({ items: [card], next: null }),
  "GET /api/v1/teams/cdn/cards": () => ({ items: [], next: null }),
  [`GET ${HERE}`]: () => ({ ...card, shared }),
  [`GET ${HERE}/reproductions`]: () => ({ items: [], next: null }),
  [`POST ${HERE}/link`]: () => {
    shared = true;
    return { path: "/api/v1/shared/secret" };
  },
  [`DELETE ${HERE}/link`]: () => {
    shared = false;
    return new Response(null, { status: 204 });
  },
  [`DELETE ${HERE}`]: () => new Response(null, { status: 204 }),
};

beforeEach(() => {
  localStorage.clear();
  shared = false;
});
it("leads from the list to a card's words, numbers and keys", async () => {
  serve(inside);
  open("/teams/qoe/cards");
  await userEvent.click(await screen.findByRole("link", { name: "Figure 3" }));
  await screen.findByRole("button", { name: "Draw again" });
  expect(screen.getByText("Illinois <b>wins</b>.")).toBeVisible();
  expect(screen.getByText("1.5")).toBeVisible();
  await userEvent.click(screen.getByText("Key of 1 run"));
  expect(await screen.findByText("0".repeat(32))).toBeInTheDocument();
});

it("says of a trend's card which nights it shows, and what is reproduced of them", async () => {
  const nights = ["2026-11-20", "2026-11-21", "2026-11-22"].map((date, index) => ({
    ...{ ...card.campaigns[0], id: `6f0d0000-0000-4000-8000-00000000010${index}` },
    ...{ night: `${date}T12:30:00Z`, document: index === 1 ? "" : `seed: ${index}`, runs: 24 },
  }));
  serve({ ...inside, [`GET ${HERE}`]: () => ({ ...card, campaigns: nights }) });
  open(`/teams/qoe/cards/${ID}`);
  expect(await screen.findByText("Of 3 nights")).toBeVisible();
  expect(screen.getByText(/^20 Nov 2026 to 22 Nov 2026, 72 runs$/)).toBeVisible();
  expect(screen.getAllByText("0123456789abcdef")).toHaveLength(1);
  await userEvent.click(screen.getByText("Nights, 3"));
  const links = await screen.findAllByRole("link", { name: /^2\d Nov/ });
  expect(links.map((each) => each.getAttribute("href"))).toEqual(
    nights.map(({ id }) => `/teams/qoe/campaigns/${id}`).toReversed(),
  );
  expect(screen.getByText("File of the nights")).toBeVisible();
  expect(screen.getByText(/^File of the nights from 22 Nov 2026, .* on$/)).toBeVisible();
  await userEvent.click(screen.getByText("Reproduce on your machine"));
  expect(await screen.findByText(/^What is reproduced are the runs of its nights/)).toBeVisible();
});

it("makes a link, shows it once, and ends it", async () => {
  serve(inside);
  open(`/teams/qoe/cards/${ID}`);
  await userEvent.click(await screen.findByRole("button", { name: "Share" }));
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.click(dialog.getByRole("button", { name: "Make a link" }));
  const address = `${window.location.origin}/api/v1/shared/secret`;
  expect(await dialog.findByText(address)).toBeInTheDocument();
  await userEvent.click(await dialog.findByRole("button", { name: "End the link" }));
  await vi.waitFor(() => expect(dialog.queryByText(address)).toBeNull(), PATIENCE);
  expect(shared).toBe(false);
});

it("deletes only after it was asked", async () => {
  const asked = serve(inside);
  open(`/teams/qoe/cards/${ID}`);
  await userEvent.click(await screen.findByRole("button", { name: "Delete" }));
  await screen.findByText(/its link ends/);
  expect(asked).not.toContain(`DELETE ${HERE}`);
  await userEvent.click(screen.getByRole("button", { name: "Delete the card" }));
  await vi.waitFor(() => expect(window.location.pathname).toBe("/teams/qoe/cards"), PATIENCE);
  expect(asked).toContain(`DELETE ${HERE}`);
});

it("offers those who may only read no change", async () => {
  serve(inside);
  open(`/teams/cdn/cards/${ID}`);
  expect(await screen.findByRole("link", { name: "HTML file" })).toBeVisible();
  expect(screen.queryByRole("button", { name: "Share" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Delete" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Reproduce" })).toBeNull();
});

it("says what reproducing costs, has it done, and shows how far it is", async () => {
  let items: Schema<"ReproductionOut">[] = [];
  const asked = serve({
    ...inside,
    [`GET ${HERE}/reproductions`]: () => ({ items, next: null }),
    [`GET ${HERE}/reproductions/estimate`]: () => estimate,
    [`POST ${HERE}/reproductions`]: () => {
      items = [reproduction];
      return reproduction;
    },
  });
  open(`/teams/qoe/cards/${ID}`);
  await userEvent.click(await screen.findByRole("button", { name: "Reproduce" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(await dialog.findByText(/^1.min 15.s$/)).toBeVisible();
  expect(dialog.getByText(/3 runs: on the real clock/)).toBeVisible();
  expect(asked).not.toContain(`POST ${HERE}/reproductions`);
  await userEvent.click(dialog.getByRole("button", { name: "Carry out 12 runs again" }));
  const section = within(await screen.findByRole("region", { name: "Carried out again" }));
  expect(section.getByText("3 of 12")).toBeVisible();
  expect(section.getByText("under way")).toBeVisible();
  expect(section.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "25");
});

it("offers nothing to carry out where nothing can be compared", async () => {
  serve({
    ...inside,
    [`GET ${HERE}/reproductions/estimate`]: () => ({ ...estimate, runs: 0, film_s: 0, wall_s: 0 }),
  });
  open(`/teams/qoe/cards/${ID}`);
  await userEvent.click(await screen.findByRole("button", { name: "Reproduce" }));
  const dialog = within(await screen.findByRole("dialog"));
  expect(await dialog.findByText("None of its runs can be compared")).toBeVisible();
  expect(dialog.getByRole("button", { name: "Carry out again" })).toBeDisabled();
});

it("shows a verdict, its files and those before to who may only read", async () => {
  const differing = { run: 7, again: 31, key: "0".repeat(32), files: ["metrics.json"] };
  const ended = { ...reproduction, ended: 12, ended_at: "2026-11-22T09:02:00Z" };
  const items: Schema<"ReproductionOut">[] = [
    { ...ended, verdict: "different", same: 11, differing: [differing] },
    { ...ended, id: "6f0d0000-0000-4000-8000-00000000000b", verdict: "same", same: 12 },
  ];
  serve({ ...inside, [`GET ${HERE}/reproductions`]: () => ({ items, next: null }) });
  open(`/teams/cdn/cards/${ID}`);
  const section = within(await screen.findByRole("region", { name: "Carried out again" }));
  expect(section.getByText("different bytes")).toBeVisible();
  expect(section.getByText("metrics.json")).toBeVisible();
  expect(section.getByRole("link", { name: "31" })).toHaveAttribute("href", "/teams/cdn/runs/31");
  expect(section.getByText("ada@example.org")).toBeVisible();
  expect(section.getByText("12 of 12 runs the same")).toBeVisible();
});
