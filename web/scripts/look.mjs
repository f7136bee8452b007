// Pictures of pages of a running platform, in both themes at desktop and phone width.
// usage: node scripts/look.mjs URL folder /path [/path ...]
// Also says what axe finds wrong with them, and fails when that is serious.
import { mkdirSync } from "node:fs";
import { violations } from "./axe.mjs";
import { launch } from "./browser.mjs";

const [url, folder, ...paths] = process.argv.slice(2);
if (paths.length === 0) {
  console.error("usage: node scripts/look.mjs URL folder /path [/path ...]");
  process.exit(2);
}
let serious = 0;
mkdirSync(folder, { recursive: true });
const browser = await launch();
for (const colorScheme of ["light", "dark"]) {
  for (const [size, width] of [
    ["wide", 1280],
    ["phone", 390],
  ]) {
    const page = await browser.newPage({ viewport: { width, height: 820 }, colorScheme });
    page.on("pageerror", (error) => console.error(String(error)));
    page.on("console", (said) => said.type() === "error" && console.error(said.text()));
    for (const [index, path] of paths.entries()) {
      await page.goto(url + path);
      await page.waitForTimeout(1500);
      for (const { text, isSerious } of await violations(page)) {
        if (isSerious) serious += 1;
        console.log(`${path} ${size} ${colorScheme}: ${text}`);
      }
      await page.screenshot({
        path: `${folder}/${index}-${size}-${colorScheme}.png`,
        fullPage: true,
      });
    }
    await page.close();
  }
}
await browser.close();
process.exitCode = serious > 0 ? 1 : 0;
