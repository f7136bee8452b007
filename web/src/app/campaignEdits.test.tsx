import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { open } from "#/testing/open";
import { campaign, me, serve } from "#/testing/platform";

const PATIENCE = { timeout: 30_000 };
const HERE = `/api/v1/campaigns/${campaign.id}`;
const ended = { ...campaign, state: "finished" as const, tags: ["paper"], notes: "see <b>12</b>" };

const bodies: unknown[] = [];
const inside = {
  "GET /api/v1/me": () => ({ ...me, teams: [{ slug: "qoe", name: "QoE lab", role: "admin" }] }),
  "GET /api/v1/session": () => ({ auth: "login", single_sign_on: null }),
  "GET /api/v1/teams/qoe/campaigns": () => ({ items: [ended], next: null }),
  "GET /api/v1/teams/qoe/tags": () => ({ items: [{ tag: "paper", campaigns: 1 }], next: null }),
  [`GET ${HERE}`]: () => ended,
  [`GET ${HERE}/grid`]: () => ({ items: [], next: null }),
  [`GET ${HERE}/runs`]: () => ({ items: [], next: null }),
  [`PATCH ${HERE}`]: async (request: Request) => {
    bodies.push(await request.json());
    return ended;
  },
  [`DELETE ${HERE}`]: () => new Response(null, { status: 204 }),
};

beforeEach(() => {
  localStorage.clear();
  bodies.length = 0;
});
it("shows tags in the list, each of which leads to all that have it", async () => {
  const asked = serve(inside);
  open("/teams/qoe/campaigns");
  await userEvent.click(await screen.findByRole("link", { name: "paper" }));
  const wanted = "GET /api/v1/teams/qoe/campaigns?tag=paper&limit=50";
  await vi.waitFor(() => expect(asked).toContain(wanted), PATIENCE);
  await userEvent.click(screen.getByRole("checkbox", { name: "archived" }));
  const archived = "GET /api/v1/teams/qoe/campaigns?tag=paper&archived=true&limit=50";
  await vi.waitFor(() => expect(asked).toContain(archived), PATIENCE);
});

it("renames, tags and notes", async () => {
  serve(inside);
  open(`/teams/qoe/campaigns/${campaign.id}`);
  expect(await screen.findByText("see <b>12</b>")).toBeVisible();
  await userEvent.click(await screen.findByRole("button", { name: "More of this campaign" }));
  await userEvent.click(await screen.findByText("Name, tags, notes"));
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.clear(dialog.getByLabelText("Name"));
  await userEvent.type(dialog.getByLabelText("Name"), "first-look");
  await userEvent.type(dialog.getByLabelText("Tags"), "figure 3{Enter}");
  await userEvent.click(dialog.getByRole("button", { name: "Save" }));
  const change = { name: "first-look", tags: ["paper", "figure 3"], notes: ended.notes };
  await vi.waitFor(() => expect(bodies).toEqual([change]), PATIENCE);
});

it("deletes only after it was asked", async () => {
  const asked = serve(inside);
  open(`/teams/qoe/campaigns/${campaign.id}`);
  await userEvent.click(await screen.findByRole("button", { name: "More of this campaign" }));
  await userEvent.click(await screen.findByText("Delete"));
  expect(asked).not.toContain(`DELETE ${HERE}`);
  await userEvent.click(await screen.findByRole("button", { name: "Delete the campaign" }));
  await vi.waitFor(() => expect(window.location.pathname).toBe("/teams/qoe/campaigns"), PATIENCE);
  expect(asked).toContain(`DELETE ${HERE}`);
});
