// Pictures of the gallery in both themes, and how long the plot of 180,000 samples takes.
// usage: node scripts/gallery.mjs [folder]
import { mkdirSync } from "node:fs";
import { createServer } from "vite";
import { launch } from "./browser.mjs";

const folder = process.argv[2] ?? "screenshots";
mkdirSync(folder, { recursive: true });
const server = await createServer({ server: { port: 0 }, logLevel: "error" });
await server.listen();
const { port } = server.httpServer.address();
const browser = await launch();

for (const theme of ["light", "dark"]) {
  for (const [name, width] of [
    ["wide", 1280],
    ["phone", 390],
  ]) {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    page.on("pageerror", (error) => console.error(String(error)));
    page.on("console", (said) => said.type() === "error" && console.error(said.text()));
    await page.goto(`http://127.0.0.1:${port}/gallery/index.html?theme=${theme}`);
    await page.locator("#stack canvas").waitFor();
    await page.waitForTimeout(500);
    await page.screenshot({ path: `${folder}/gallery-${name}-${theme}.png`, fullPage: true });
    await page.close();
  }
}
await browser.close();
await server.close();
