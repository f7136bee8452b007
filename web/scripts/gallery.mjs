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

// How fast the stack of 180,000 samples draws, and how fast it and the 200,000 packets zoom.
const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
await page.goto(`http://127.0.0.1:${port}/gallery/index.html`);
await page.locator("#stack canvas").waitFor();
await page.locator("#sequence canvas").waitFor();
await page.waitForTimeout(1000);

/** Milliseconds of each frame of a zoom in and out, ascending. */
function zoomed(id) {
  return page.evaluate(async (within) => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const stack = document.querySelector(`${within} [role=group]`);
    stack.scrollIntoView();
    await frame();
    const box = stack.getBoundingClientRect();
    const frames = [];
    for (let step = 0; step < 120; step += 1) {
      const began = performance.now();
      const deltaY = step % 60 < 30 ? -40 : 40;
      const at = { clientX: box.left + 500, bubbles: true };
      stack.dispatchEvent(new WheelEvent("wheel", { ctrlKey: true, deltaY, ...at }));
      await frame();
      frames.push(performance.now() - began);
    }
    return frames.sort((a, b) => a - b);
  }, id);
}

const draw_ms = await page.evaluate(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const start = performance.now();
  window.redrawStack();
  await frame();
  await frame();
  return performance.now() - start;
});
console.log(`180,000 samples drawn in ${draw_ms.toFixed(0)} ms`);
for (const [what, id] of [
  ["180,000 samples", "#stack"],
  ["200,000 packets", "#sequence"],
]) {
  const frames = await zoomed(id);
  const [median, p95] = [frames[60], frames[114]].map((each) => each.toFixed(1));
  console.log(`zoom of ${what}: median ${median} ms, p95 ${p95} ms per frame`);
}
await browser.close();
await server.close();
