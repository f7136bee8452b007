/** Tabs of a browser whose pages tell what is wrong. */
import type { BrowserContext, Page } from "playwright-core";

/** Until something is wrong on the slowest machine. */
export const PATIENCE_MS = 180_000;
/** What the browser says itself: of every answer that is an error, also where the page tells it in
 * its own words; and where the machine is so busy that the page's code runs seconds late. */
export const OF_THE_BROWSER =
  /^Failed to load resource|was preloaded using link preload but not used/;

/** said: gets what the page says was wrong. */
export async function tab(context: BrowserContext, said: string[]): Promise<Page> {
  const opened = await context.newPage();
  opened.setDefaultTimeout(PATIENCE_MS);
  opened.on("pageerror", (error) => said.push(String(error)));
  opened.on("console", (message) => {
    const isOwn = !OF_THE_BROWSER.test(message.text());
    if (isOwn) said.push(`${message.type()}: ${message.text()}`);
  });
  return opened;
}
