import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import type { Role } from "#/shared/session/session";
import { open } from "#/testing/open";
import { me, problem, serve } from "#/testing/platform";

const token = {
  ...{ id: "6f0d0000-0000-4000-8000-000000000006", name: "nightly CI", scope: "read" },
  ...{ made_by: "grace@example.org", created_at: "2026-11-20T09:00:00Z", last_used_at: null },
  ...{ expires_at: null, revoked_at: null },
};
const webhook = {
  ...{ id: "6f0d0000-0000-4000-8000-000000000007", url: "https://ci.example.org/hook" },
  ...{ events: ["campaign.ended"], enabled: true, created_at: "2026-11-20T09:00:00Z" },
  ...{ old_secret_until: null },
};
const bodies: unknown[] = [];
const PATIENCE = { timeout: 30_000 };

/** A platform on which Ada has a role in her team. */
function platform(role: Role): string[] {
  const made = async (request: Request): Promise<unknown> => {
    bodies.push(await request.json());
    return { ...webhook, ...token, secret: "weir_once" };
  };
  return serve({
    "GET /api/v1/me": () => ({ ...me, teams: [{ slug: "qoe", name: "QoE lab", role }] }),
    "GET /api/v1/session": () => ({ auth: "login", single_sign_on: null }),
    "GET /api/v1/teams/qoe/tokens": () => ({ items: [token], next: null }),
    "POST /api/v1/teams/qoe/tokens": made,
    [`DELETE /api/v1/teams/qoe/tokens/${token.id}`]: () => new Response(null, { status: 204 }),
    "GET /api/v1/teams/qoe/members": () => ({ items: [], next: null }),
    "PUT /api/v1/me/password": async (request) => {
      const body = (await request.json()) as { password: string };
      bodies.push(body);
      return body.password === "known"
        ? new Response(null, { status: 204 })
        : problem(403, "The password so far is another one");
    },
    "GET /api/v1/teams/qoe/webhooks": () => ({ items: [webhook], next: null }),
    "POST /api/v1/teams/qoe/webhooks": made,
    [`POST /api/v1/webhooks/${webhook.id}/secret`]: made,
  });
}

const openTab = (tab: string): void => open(`/teams/qoe/settings?tab=${tab}`);

beforeEach(() => {
  localStorage.clear();
  bodies.length = 0;
});
it("makes a token of no more rights than one has, and tells its secret once", async () => {
  platform("submit");
  openTab("tokens");
  await userEvent.click(await screen.findByRole("button", { name: "New token" }));
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.type(dialog.getByLabelText(/Name/), "plots");
  await userEvent.click(dialog.getByLabelText(/May/, { selector: "input" }));
  const choices = await screen.findAllByRole("option", { hidden: true });
  expect(choices.length).toBeGreaterThan(0);
  expect(choices.some((choice) => choice.textContent.includes("admin"))).toBe(false);
  await userEvent.click(dialog.getByRole("button", { name: "Make it" }));
  // Once the dialog has come in.
  await vi.waitFor(() => expect(screen.getByText("weir_once")).toBeVisible(), PATIENCE);
  expect(bodies).toEqual([{ name: "plots", scope: "read", expires_in_days: 90 }]);
  await userEvent.click(screen.getByRole("button", { name: "I have it" }));
  await vi.waitFor(() => expect(screen.queryByText("weir_once")).toBeNull(), PATIENCE);
});

it("asks before it revokes, and only of those who may", async () => {
  const asked = platform("admin");
  openTab("tokens");
  await userEvent.click(await screen.findByRole("button", { name: "Revoke nightly CI" }));
  const path = `DELETE /api/v1/teams/qoe/tokens/${token.id}`;
  expect(asked).not.toContain(path);
  await userEvent.click(await screen.findByRole("button", { name: "Revoke the token" }));
  await vi.waitFor(() => expect(asked).toContain(path), PATIENCE);
});

it("does not offer to revoke what others made", async () => {
  platform("read");
  openTab("tokens");
  await screen.findByText("nightly CI");
  expect(screen.queryByRole("button", { name: "Revoke nightly CI" })).toBeNull();
});

it("changes one's own password, and says when the one so far is another", async () => {
  platform("read");
  open("/teams/qoe/settings");
  await userEvent.click(await screen.findByRole("button", { name: "Signed in as Ada" }));
  await userEvent.click(await screen.findByText("Change password"));
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.type(dialog.getByLabelText(/Password so far/), "guessed");
  await userEvent.type(dialog.getByLabelText(/New password/), "a longer secret");
  await userEvent.click(dialog.getByRole("button", { name: "Change it" }));
  expect(await dialog.findByRole("alert")).toHaveTextContent("another one");
  await userEvent.clear(dialog.getByLabelText(/Password so far/));
  await userEvent.type(dialog.getByLabelText(/Password so far/), "known");
  await userEvent.click(dialog.getByRole("button", { name: "Change it" }));
  await vi.waitFor(() => expect(screen.queryByRole("dialog")).toBeNull(), PATIENCE);
  const wanted = { new_password: "a longer secret" };
  const tried = ["guessed", "known"].map((password) => ({ password, ...wanted }));
  expect(bodies).toEqual(tried);
});

it("makes a webhook that is told something, and tells its secret once", async () => {
  platform("admin");
  openTab("webhooks");
  await userEvent.click(await screen.findByRole("button", { name: "New webhook" }));
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.type(dialog.getByLabelText(/Address/), "https://ci.example.org/new");
  const kinds = ["a campaign ended", "a schedule could not submit"];
  for (const kind of kinds) await userEvent.click(dialog.getByLabelText(kind));
  expect(dialog.getByRole("button", { name: "Make it" })).toBeDisabled();
  await userEvent.click(dialog.getByLabelText("a run failed"));
  await userEvent.click(dialog.getByRole("button", { name: "Make it" }));
  // Once the dialog has come in.
  await vi.waitFor(() => expect(screen.getByText("weir_once")).toBeVisible(), PATIENCE);
  const url = "https://ci.example.org/new";
  expect(bodies).toEqual([{ url, events: ["run.failed"], enabled: true }]);
});

it("changes a webhook's secret, of which the old one no longer signs when it leaked", async () => {
  platform("admin");
  openTab("webhooks");
  await userEvent.click(await screen.findByRole("button", { name: "Change secret" }));
  const dialog = within(await screen.findByRole("dialog"));
  await userEvent.click(dialog.getByLabelText("The old one signs for", { selector: "input" }));
  await userEvent.click(await screen.findByRole("option", { name: /it leaked/, hidden: true }));
  await userEvent.click(dialog.getByRole("button", { name: "Make a new one" }));
  await vi.waitFor(() => expect(screen.getByText("weir_once")).toBeVisible(), PATIENCE);
  expect(bodies).toEqual([{ old_for_hours: 0 }]);
});

it("says to others that webhooks are for administrators", async () => {
  const asked = platform("submit");
  openTab("webhooks");
  expect(await screen.findByText("For the team's administrators")).toBeVisible();
  expect(screen.queryByRole("button", { name: "New webhook" })).toBeNull();
  expect(asked.some((each) => each.includes("/webhooks"))).toBe(false);
});
