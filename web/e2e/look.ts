/** Every page looked at; LOOKS=all: in every theme and size, with pictures in screenshots/. */
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { FEW_LOOKS, look } from "../scripts/looks.mjs";

const FOLDER = fileURLToPath(new URL("../screenshots", import.meta.url));
const HOW = process.env.LOOKS === "all" ? { folder: FOLDER } : { looks: FEW_LOOKS };

/** Writes screenshots/NAME.png. */
export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  await page.screenshot({ path: `${FOLDER}/${name}.png`, fullPage: true });
}

/** Looks at each page, name -> address, in whichever tab is free: most of a look is waiting. */
export async function lookAll(
  tabs: readonly Page[],
  pages: Readonly<Record<string, string>>,
): Promise<string[]> {
  const left = Object.entries(pages);
  const found: string[] = [];
  const inTab = async (tab: Page): Promise<void> => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [name, url] = next;
      found.push(...(await look(tab, { name, url, ...HOW })));
    }
  };
  await Promise.all(tabs.map(inTab));
  return found;
}
