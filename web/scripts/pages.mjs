// How long a campaign's page takes until it can be used, a run's curves until they are drawn, and those
// of several runs over each other; how fast the runs' table scrolls.
// usage: node scripts/pages.mjs URL team campaign run [run ...]     (prints JSON; the page has it all
// fetched anew each time: nothing is cached)
import { launch } from "./browser.mjs";

const [url, team, campaign, ...runs] = process.argv.slice(2);
const REPEATS = 5;
const FRAMES = 120;
/** @param {number[]} values */
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const browser = await launch();

/** Milliseconds since navigation began, when the text of an element fits and nothing is left to do. */
async function opened(path, selector) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 820 } });
  await page.goto(url + path, { waitUntil: "commit" });
  const ready = await page.waitForFunction(
    (wanted) =>
      wanted.every((each) => document.querySelector(each) !== null) &&
      new Promise((resolve) => requestIdleCallback(() => resolve(performance.now()))),
    selector,
    { polling: "raf" },
  );
  return { page, ms: await ready.jsonValue() };
}

/** Milliseconds from the last curve's arrival to the frame in which they are drawn. */
function sinceTheData(page) {
  return page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const reading = () => document.body.textContent.includes("Reading TCP");
    while (reading()) await frame();
    await frame();
    const now = performance.now();
    const series = performance
      .getEntriesByType("resource")
      .filter(({ name }) => name.includes("/series"));
    return now - Math.max(...series.map(({ responseEnd }) => responseEnd));
  });
}

const campaigns = [];
for (let no = 0; no < REPEATS; no += 1) {
  const { page, ms } = await opened(`/teams/${team}/campaigns/${campaign}`, [
    "main table tbody tr",
    "main svg[role=application]",
  ]);
  campaigns.push(ms);
  await page.close();
}

const drawn = [];
const frames = [];
for (let no = 0; no < REPEATS; no += 1) {
  const panels = encodeURIComponent(JSON.stringify(["cwnd", "srtt"]));
  const { page } = await opened(`/teams/${team}/runs/${runs[0]}?panels=${panels}`, [
    "figure [role=group] canvas",
  ]);
  drawn.push(await sinceTheData(page));
  frames.push(
    ...(await page.evaluate(async (count) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const stack = document.querySelector("figure [role=group]");
      const box = stack.getBoundingClientRect();
      const spent = [];
      for (let step = 0; step < count; step += 1) {
        const began = performance.now();
        const deltaY = step % 60 < 30 ? -40 : 40;
        const at = { clientX: box.left + 500, bubbles: true };
        stack.dispatchEvent(new WheelEvent("wheel", { ctrlKey: true, deltaY, ...at }));
        await frame();
        spent.push(performance.now() - began);
      }
      return spent;
    }, FRAMES)),
  );
  await page.close();
}
const over = encodeURIComponent(JSON.stringify(runs.map(Number)));
const overlaid = [];
for (let no = 0; no < REPEATS; no += 1) {
  const { page } = await opened(`/teams/${team}/campaigns/${campaign}/overlay?runs=${over}`, [
    "figure [role=group] canvas",
  ]);
  overlaid.push(await sinceTheData(page));
  await page.close();
}
// The whole runs' table is read first, by scrolling to its end again and again.
const table = (await opened(`/teams/${team}/campaigns/${campaign}`, ["main table tbody tr"])).page;
const scrolled = await table.evaluate(async (count) => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const box = document.querySelector("main table").parentElement;
  const rows = () => Number(box.querySelector("table").getAttribute("aria-rowcount")) - 1;
  for (let quiet = 0, before = 0; quiet < 300; before = rows()) {
    box.scrollTop = box.scrollHeight;
    await frame();
    quiet = rows() === before ? quiet + 1 : 0;
  }
  const byStep = async (step) => {
    const spent = [];
    for (let no = 0; no < count; no += 1) {
      const began = performance.now();
      box.scrollTop = no * step;
      await frame();
      spent.push(performance.now() - began);
    }
    return spent;
  };
  const NOTCH_PX = 120;
  const wheel = await byStep(NOTCH_PX);
  return { rows: rows(), wheel, bar: await byStep(Math.floor(box.scrollHeight / count)) };
}, FRAMES);
await browser.close();
const scrolling = scrolled.wheel.toSorted((a, b) => a - b);

const sorted = frames.toSorted((a, b) => a - b);
console.log(
  JSON.stringify({
    campaign_interactive_ms: median(campaigns),
    campaign_interactive_worst_ms: Math.max(...campaigns),
    run_drawn_after_data_ms: median(drawn),
    run_drawn_after_data_worst_ms: Math.max(...drawn),
    overlay_drawn_after_data_ms: median(overlaid),
    overlay_drawn_after_data_worst_ms: Math.max(...overlaid),
    table_rows: scrolled.rows,
    scroll_frame_ms: median(scrolling),
    scrollbar_dragged_frame_ms: median(scrolled.bar),
    scroll_frame_p95_ms: scrolling[Math.floor(scrolling.length * 0.95)],
    zoom_frame_ms: median(frames),
    zoom_frame_p95_ms: sorted[Math.floor(sorted.length * 0.95)],
  }),
);
