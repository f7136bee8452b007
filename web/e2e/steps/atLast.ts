/** A server that is gone, another team, and a look at every page. */
import { expect, test } from "vitest";
import { lookAll } from "../look";
import * as story from "../story";
import { home, platform, root, page, said, made, person, tab, tabs } from "./stage";

test("says that the server is gone, and goes on when it is back", async () => {
  await page.goto(`${home}/campaigns`);
  await page.getByRole("link", { name: "short", exact: true }).waitFor();
  await page.context().setOffline(true);
  await page.getByLabel("Search by name").fill("again");
  await page.getByText("What you see may be old").waitFor();
  await page.context().setOffline(false);
  await page.getByText("What you see may be old").waitFor({ state: "detached" });
  await page.getByRole("link", { name: "short-again", exact: true }).waitFor();
  await page.getByRole("link", { name: "short", exact: true }).waitFor({ state: "detached" });
});

test("refuses another team", async () => {
  const context = await person();
  const other = await context.newPage();
  await other.goto(`${home}/campaigns/${made.first}`);
  await story.signIn(other, story.BOB);
  await other.getByRole("alert").first().waitFor();
  expect(await other.getByText("short", { exact: true }).count()).toBe(0);
  for (const path of [`campaigns/${made.first}`, `runs/${made.run}`, `teams/${story.TEAM}/tokens`])
    expect((await context.request.get(`/api/v1/${path}`)).status()).toBe(404);
  await context.close();
});

test("is told what happens, also after the server was gone", async () => {
  if (platform === undefined) throw new Error("the platform has not been started");
  // Nothing goes on: this page asks for nothing by itself.
  await page.goto(`${home}/campaigns`);
  const rows = page.getByRole("link", { name: "short", exact: true });
  const clone = `/api/v1/campaigns/${made.first}/clone`;
  await expect.poll(() => rows.count()).toBe(1);
  await page.request.post(clone, { data: {} });
  await expect.poll(() => rows.count()).toBe(2);
  await platform.pause();
  await page.getByText("What you see may be old").waitFor();
  await platform.resume();
  await page.getByText("What you see may be old").waitFor({ state: "detached" });
  await page.request.post(clone, { data: {} });
  await expect.poll(() => rows.count()).toBe(3);
});

test("no page breaks, or keeps anyone out", async () => {
  const pages = {
    campaigns: `${home}/campaigns`,
    "new-campaign-yaml": `${home}/campaigns/new?campaign=${made.first}`,
    campaign: `${home}/campaigns/${made.second}`,
    experiment: `${home}/campaigns/${made.first}?tab=experiment`,
    history: `${home}/campaigns/${made.second}?tab=history`,
    results: `${home}/campaigns/${made.first}/results`,
    boxes: `${home}/campaigns/${made.first}/results?view=boxes`,
    effects: `${home}/campaigns/${made.first}/effects`,
    overlay: made.overlay,
    run: `${home}/runs/${made.run}`,
    "run-metrics": `${home}/runs/${made.run}?tab=metrics`,
    "run-checks": `${home}/runs/${made.run}?tab=checks`,
    "run-provenance": `${home}/runs/${made.run}?tab=provenance`,
    "run-files": `${home}/runs/${made.run}?tab=files`,
    compare: `${home}/compare?a=${made.first}&b=${made.second}`,
    "compare-runs": `${home}/compare/runs?a=${made.run}&b=${Number(made.run) + 4}`,
    cards: `${home}/cards`,
    card: `${home}/cards/${made.card}`,
    schedules: `${home}/schedules`,
    schedule: `${home}/schedules/${made.schedule}`,
    members: `${home}/settings`,
    tokens: `${home}/settings?tab=tokens`,
    webhooks: `${home}/settings?tab=webhooks`,
    audit: `${home}/settings?tab=audit`,
    missing: "/nowhere",
  };
  const installation = Object.fromEntries(
    ["users", "teams", "workers", "audit"].map((tab) => [
      `installation-${tab}`,
      `/installation?tab=${tab}`,
    ]),
  );
  const inside = await tabs(page.context());
  expect(await lookAll(inside, pages)).toEqual([]);
  await page.goto(`${home}/campaigns/new`);
  await page.getByText("Form", { exact: true }).click();
  const form = { "new-campaign-form": `${home}/campaigns/new` };
  expect(await lookAll(inside, form)).toEqual([]);
  expect(await lookAll(await tabs(root), installation)).toEqual([]);
  expect(await lookAll([await tab(await person())], { "sign-in": "/sign-in" })).toEqual([]);
  expect(said).toEqual([]);
});
