// Pictures of the gallery in both themes, and how long the plot of 180,000 samples takes to draw
// and to zoom.
// usage: node scripts/gallery.mjs [folder]
import { mkdirSync } from "node:fs";
import { build, preview } from "vite";
import { launch } from "./browser.mjs";

const folder = process.argv[2] ?? "screenshots";
mkdirSync(folder, { recursive: true });
// As built for users: React's development build is several times slower.
const outDir = `${folder}/built`;
await build({
  logLevel: "error",
  build: { outDir, emptyOutDir: true, rolldownOptions: { input: "gallery/index.html" } },
});
const server = await preview({ build: { outDir }, preview: { port: 0 }, logLevel: "error" });
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

// How fast the stack of 180,000 samples draws, and how fast it zooms.
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
await page.goto(`http://127.0.0.1:${port}/gallery/index.html`);
await page.locator("#stack canvas").waitFor();
await page.waitForTimeout(1000);
const { draw_ms, frames } = await page.evaluate(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const start = performance.now();
  window.redrawStack();
  await frame();
  await frame();
  const draw_ms = performance.now() - start;
  const stack = document.querySelector("#stack [role=group]");
  const box = stack.getBoundingClientRect();
  const frames = [];
  for (let step = 0; step < 120; step += 1) {
    const began = performance.now();
    const deltaY = step % 60 < 30 ? -40 : 40;
    stack.dispatchEvent(
      new WheelEvent("wheel", { ctrlKey: true, deltaY, clientX: box.left + 500, bubbles: true }),
    );
    await frame();
    frames.push(performance.now() - began);
  }
  return { draw_ms, frames: frames.sort((a, b) => a - b) };
});
console.log(`180,000 samples drawn in ${draw_ms.toFixed(0)} ms`);
console.log(`zoom: median ${frames[60].toFixed(1)} ms, p95 ${frames[114].toFixed(1)} ms per frame`);
await browser.close();
await server.close();
