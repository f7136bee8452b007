/** What is around campaigns: documentation, schedules, tokens, webhooks. */
import { expect, test } from "vitest";
import { OF_THE_BROWSER, PATIENCE_MS } from "../tab";
import { home, url, page, made, idOf } from "./stage";

/** The site generator's search field wants the focus, and does not get it where an address has a #. */
const OF_THE_DOCS_SEARCH = /^Autofocus processing was blocked/;

test("leads to the documentation, whose pages run", async () => {
  await page.goto(`${home}/campaigns/${made.first}/results`);
  await page.getByRole("button", { name: "definition" }).click();
  const opening = page.waitForEvent("popup");
  await page.getByRole("link", { name: "All metrics" }).click();
  const docs = await opening;
  const told: string[] = [];
  docs.on("console", (message) => {
    const text = message.text();
    if (![OF_THE_BROWSER, OF_THE_DOCS_SEARCH].some((known) => known.test(text))) told.push(text);
  });
  docs.setDefaultTimeout(PATIENCE_MS);
  // A reload while the popup is still on its way there ends neither.
  await docs.waitForURL(/\/metrics\.html/);
  await docs.reload();
  await docs.getByRole("heading", { name: "Metrics", level: 1 }).waitFor();
  await docs.locator("#client-mean_bitrate_bps").waitFor({ state: "attached" });
  expect(told).toEqual([]);
  await docs.close();
});

test("schedules the campaign", async () => {
  await page.goto(`${home}/campaigns/new?campaign=${made.first}`);
  await page.getByRole("button", { name: "Schedule" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("every night");
  await dialog.getByLabel("When (cron)").fill("30 2 * * *");
  await dialog.getByRole("listitem").first().waitFor();
  await dialog.getByRole("button", { name: "Schedule" }).click();
  await page.getByRole("heading", { name: "every night", level: 1 }).waitFor();
  made.schedule = idOf();
  await page.getByText("At 02:30", { exact: false }).first().waitFor();
});

test("makes a token that opens the API until it is revoked", async () => {
  await page.goto(`${home}/settings?tab=tokens`);
  await page.getByRole("button", { name: "New token" }).click();
  await page.getByLabel("Name").fill("nightly CI");
  await page.getByRole("button", { name: "Make it" }).click();
  const secret = await page
    .getByRole("dialog")
    .getByText(/^weir_/)
    .innerText();
  const ask = async (): Promise<number> => {
    const headers = { Authorization: `Bearer ${secret}` };
    return (await fetch(`${url}/api/v1/campaigns/${made.first}`, { headers })).status;
  };
  expect(await ask()).toBe(200);
  await page.goto(`${home}/settings?tab=tokens`);
  await page.getByRole("button", { name: "Revoke nightly CI" }).click();
  await page.getByRole("button", { name: "Revoke the token" }).click();
  await page.getByRole("row", { name: /revoked/ }).waitFor();
  expect(await ask()).toBe(401);
});

test("makes a webhook, and changes its secret", async () => {
  const told = async (): Promise<string> => {
    const secret = await page
      .getByRole("dialog")
      .getByText(/^whsec_/)
      .innerText();
    await page.getByRole("button", { name: "I have it" }).click();
    return secret;
  };
  await page.goto(`${home}/settings?tab=webhooks`);
  await page.getByRole("button", { name: "New webhook" }).click();
  await page.getByLabel("Address").fill("https://ci.example.org/hooks/weir");
  await page.getByRole("button", { name: "Make it" }).click();
  const first = await told();
  await page.getByRole("button", { name: "Change secret" }).click();
  await page.getByRole("button", { name: "Make a new one" }).click();
  expect(await told()).not.toBe(first);
  await page.getByText("Signed by the old secret, too").waitFor();
});
