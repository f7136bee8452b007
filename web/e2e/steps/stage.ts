/** What all steps of the story share: the platform, whose page it is, and what was made so far. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { launch } from "../../scripts/browser.mjs";
import { WIDE } from "../../scripts/looks.mjs";
import { startPlatform, type Platform } from "../platform";
import * as story from "../story";
import { tab as opened } from "../tab";

export const RUNS = 12;
export const RUNS_END_MS = 900_000;
const TABS = 3;
export const home = `/teams/${story.TEAM}`;

export let platform: Platform | undefined;
let browser: Browser | undefined;
export let url = "";
export let root: BrowserContext;
export let page: Page;
/** What the page said was wrong since the last look. */
export const said: string[] = [];
export const made = { first: "", second: "", run: "", schedule: "", overlay: "", card: "" };

export async function begin(): Promise<void> {
  platform = await startPlatform(story.ROOT);
  url = platform.url;
  browser = await launch();
  root = await person();
  await story.makeTeams(root.request);
  page = await tab(await person());
}

export async function end(): Promise<void> {
  await browser?.close();
  await platform?.stop();
}

export async function person(): Promise<BrowserContext> {
  if (browser === undefined) throw new Error("the browser has not been started");
  return browser.newContext({ baseURL: url, viewport: WIDE, acceptDownloads: true });
}

export const tab = (context: BrowserContext): Promise<Page> => opened(context, said);
export const tabs = (context: BrowserContext): Promise<Page[]> =>
  Promise.all(Array.from({ length: TABS }, () => tab(context)));

/** Of what the page shows, by its address. */
export const idOf = (): string =>
  page
    .url()
    .replace(/[?#].*/, "")
    .split("/")
    .at(-1) ?? "";
