// What axe finds in a page in both themes, on a laptop, a large screen and a phone, and pictures of it.
import { mkdirSync } from "node:fs";
import { violations } from "./axe.mjs";

export const WIDE = { width: 1280, height: 820 };
const LARGE = { width: 1920, height: 1080 };
const PHONE = { width: 390, height: 820 };
/** @typedef {[string, { width: number, height: number }, "light" | "dark"]} Look */
/** @type {Look[]} */
const LOOKS = [
  ["wide-light", WIDE, "light"],
  ["wide-dark", WIDE, "dark"],
  ["large-light", LARGE, "light"],
  ["large-dark", LARGE, "dark"],
  ["phone-light", PHONE, "light"],
  ["phone-dark", PHONE, "dark"],
];
/** Each theme and either layout once: a colour is wrong at every size, a label in both themes. */
export const FEW_LOOKS = LOOKS.filter(([name]) => name === "wide-light" || name === "phone-dark");
const ANIMATION_MS = 350;
/** However long a busy machine takes to carry them out, and those that follow from them; what goes
 * on for ever is not waited for. */
const TRANSITIONS_END = `(async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const running = () =>
    document
      .getAnimations()
      .filter(({ playState }) => playState === "running")
      .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity);
  do {
    await Promise.allSettled(running().map(({ finished }) => finished));
    await frame();
    await frame();
  } while (running().length > 0);
})()`;

/**
 * Nothing is being fetched for the first time, and what moves has arrived.
 * @param {import("playwright-core").Page} page
 */
async function settled(page) {
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
  // Each a promise, asked for once: what is asked again and again the pages' own policy refuses.
  await page.evaluate("document.fonts.ready.then(() => true)");
  await page.waitForTimeout(ANIMATION_MS);
  await page.evaluate(TRANSITIONS_END);
}

/**
 * Opens a page, and writes FOLDER/NAME-*.png where a folder is named. Returns its serious violations.
 * @param {import("playwright-core").Page} page
 * @param {{ name: string, url: string, folder?: string, looks?: Look[] }} what
 * @returns {Promise<string[]>}
 */
export async function look(page, { name, url, folder, looks = LOOKS }) {
  await page.setViewportSize(WIDE);
  await page.goto(url);
  await page.locator("main h1").waitFor();
  const found = [];
  for (const [size, viewport, colorScheme] of looks) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page
      .locator(`html[data-mantine-color-scheme=${colorScheme}]`)
      .waitFor({ state: "attached" });
    await settled(page);
    if (folder !== undefined) {
      mkdirSync(folder, { recursive: true });
      await page.screenshot({ path: `${folder}/${name}-${size}.png`, fullPage: true });
    }
    for (const { text, isSerious } of await violations(page))
      if (isSerious) found.push(`${name} ${size}: ${text}`);
  }
  return found;
}
