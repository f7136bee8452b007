/** The form of a new campaign offers what a player takes. Nothing is run. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launch } from "../scripts/browser.mjs";
import { WIDE } from "../scripts/looks.mjs";
import { startPlatform, type Platform } from "./platform";
import * as story from "./story";
import { tab } from "./tab";

const SETTING = "streaming.buffer.bufferTimeDefault";

let platform: Platform | undefined;
let browser: Browser | undefined;
let page: Page;
const said: string[] = [];

beforeAll(async () => {
  platform = await startPlatform(story.ROOT);
  browser = await launch();
  const person = () => browser?.newContext({ baseURL: platform?.url, viewport: WIDE });
  const [root, ada] = [await person(), await person()];
  if (root === undefined || ada === undefined) throw new Error("the browser is gone");
  await story.makeTeams(root.request);
  page = await tab(ada, said);
  await page.goto("/sign-in");
  await story.signIn(page, story.ADA);
  await page.getByText("No campaigns yet").waitFor();
});

afterAll(async () => {
  await browser?.close();
  await platform?.stop();
});

test("chooses a player with its version and a setting in the form", async () => {
  await page.goto(`/teams/${story.TEAM}/campaigns/new`);
  await page.getByRole("button", { name: /^quickstart/ }).click();
  await page.getByText("Form", { exact: true }).click();
  const client = page.getByRole("group", { name: "client 1", exact: true });
  await client.getByLabel("client 1 player", { exact: true }).fill("dashjs");
  await client.getByRole("button", { name: "options of dashjs" }).click();
  await client.getByLabel("client 1 options version", { exact: true }).click();
  await page.getByRole("option", { name: "5.2.0", exact: true }).click();
  await client.getByRole("button", { name: "settings", exact: true }).click();
  await client.getByLabel("Another setting").fill("bufferTimeDefault");
  await page.getByRole("option", { name: SETTING, exact: true }).click();

  const setting = client.getByLabel(`client 1 options settings ${SETTING}`, { exact: true });
  await setting.fill("8s");
  await client.getByText(/a finite number/).waitFor();
  await setting.fill("8");
  await page.getByRole("img", { name: /clients: 2 × dashjs/ }).waitFor();
  await page.getByRole("button", { name: "Submit 18 runs" }).waitFor();

  await page.getByText("YAML", { exact: true }).click();
  const editor = page.getByLabel("The campaign as YAML");
  await editor.click();
  await page.keyboard.press("ControlOrMeta+End"); // it holds the lines in view alone
  await editor.getByText(`${SETTING}: 8`).waitFor();
  expect(await editor.innerText()).toMatch(
    /player: dashjs\s+count: 2\s+options:\s+version: 5\.2\.0/,
  );
  expect(said).toEqual([]);
});
