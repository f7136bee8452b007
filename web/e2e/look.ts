/** Pictures of a page in both themes, on a laptop, a large screen and a phone, and what axe finds in each. */
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { violations } from "../scripts/axe.mjs";

export const WIDE = { width: 1280, height: 820 };
const LARGE = { width: 1920, height: 1080 };
const PHONE = { width: 390, height: 820 };
const LOOKS = [
  ["wide-light", WIDE, "light"],
  ["wide-dark", WIDE, "dark"],
  ["large-light", LARGE, "light"],
  ["large-dark", LARGE, "dark"],
  ["phone-light", PHONE, "light"],
  ["phone-dark", PHONE, "dark"],
] as const;
const FOLDER = fileURLToPath(new URL("../screenshots/", import.meta.url));
const ANIMATION_MS = 350;

/** Nothing is being fetched for the first time, and what moves has arrived. */
async function settled(page: Page): Promise<void> {
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
  await page.waitForFunction("document.fonts.ready.then(() => true)");
  await page.waitForTimeout(ANIMATION_MS);
}

/** Writes screenshots/NAME.png. */
export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  await page.screenshot({ path: `${FOLDER}${name}.png`, fullPage: true });
}

/** Opens a page and writes screenshots/NAME-*.png. Returns its serious violations. */
async function look(page: Page, name: string, url: string): Promise<string[]> {
  await page.setViewportSize(WIDE);
  await page.goto(url);
  await page.locator("main h1").waitFor();
  const found: string[] = [];
  for (const [size, viewport, colorScheme] of LOOKS) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await settled(page);
    await picture(page, `${name}-${size}`);
    for (const { text, isSerious } of await violations(page))
      if (isSerious) found.push(`${name} ${size}: ${text}`);
  }
  return found;
}

/** Looks at each page, name -> address, in whichever tab is free: most of a look is waiting. */
export async function lookAll(
  tabs: readonly Page[],
  pages: Readonly<Record<string, string>>,
): Promise<string[]> {
  const left = Object.entries(pages);
  const found: string[] = [];
  const inTab = async (tab: Page): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift())
      found.push(...(await look(tab, ...next)));
  };
  await Promise.all(tabs.map(inTab));
  return found;
}
