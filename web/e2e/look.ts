/** Every page looked at once; LOOKS=all: in every theme and size, with pictures in screenshots/. */
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { FEW_LOOKS, look } from "../scripts/looks.mjs";

const FOLDER = fileURLToPath(new URL("../screenshots", import.meta.url));
const ALL = process.env.LOOKS === "all";

/** Writes screenshots/NAME.png. */
export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  await page.screenshot({ path: `${FOLDER}/${name}.png`, fullPage: true });
}

/**
 * Looks at each page, name -> address, in whichever tab is free: most of a look is waiting. They
 * take turns in theme and layout: what is wrong in one of them is mostly so on many pages.
 */
export async function lookAll(
  tabs: readonly Page[],
  pages: Readonly<Record<string, string>>,
): Promise<string[]> {
  const left = Object.entries(pages).map(([name, url], position) => {
    const looks = FEW_LOOKS.filter((_, turn) => turn === position % FEW_LOOKS.length);
    return { name, url, ...(ALL ? { folder: FOLDER } : { looks }) };
  });
  const found: string[] = [];
  const inTab = async (tab: Page): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) found.push(...(await look(tab, next)));
  };
  await Promise.all(tabs.map(inTab));
  return found;
}
