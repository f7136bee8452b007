/** What the runs came to: pivot, plots, effects, runs beside each other. */
import { expect, test } from "vitest";
import * as story from "../story";
import { RUNS, home, page, made, idOf } from "./stage";

test("reads in the pivot what the runs' table says", async () => {
  await page.getByRole("tab", { name: "Results" }).click();
  const cells = page.getByRole("table").locator("button[aria-pressed]");
  await cells.first().waitFor();
  expect(await cells.count()).toBe(6);
  const coming = page.waitForEvent("download");
  await page.getByRole("link", { name: "All as CSV" }).click();
  const [names = [], ...rows] = (await story.textOf(await coming))
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(","));
  const own = rows.filter((row) => row.includes("htbm") && row.includes("cubic"));
  expect(own).toHaveLength(4); // two replicates of two clients
  const at = names.indexOf("mean_bitrate_bps");
  const mean = own.reduce((sum, row) => sum + Number(row[at]), 0) / own.length;
  const across = await page.getByRole("columnheader").allInnerTexts();
  const row = page.getByRole("row", { name: /cubic/ });
  const text = await row
    .locator("td")
    .nth(across.indexOf("htbm") - 1)
    .innerText();
  expect(text).toContain(`${Number((mean / 1e6).toPrecision(3))}\u202fMbit/s`);
  expect(text).toContain("n = 2");
});

test("compares two groups, and downloads picture and data", async () => {
  const cells = page.getByRole("table").locator("button[aria-pressed]");
  await cells.nth(0).click();
  await cells.nth(1).click();
  await page.getByRole("heading", { name: "2 groups compared" }).waitFor();
  expect(new URL(page.url()).searchParams.has("picked")).toBe(true);
  const figure = page.locator("figure").first();
  expect(await story.downloaded(page, figure, "Picture (SVG)")).toMatch(/^<svg[\s>]/);
  // As text: its first byte is none of UTF-8. An empty picture is smaller.
  const png = await story.downloaded(page, figure, "Picture (PNG)");
  expect(png).toMatch(/^\ufffdPNG/);
  expect(png.length).toBeGreaterThan(5_000);
  const table = await story.downloaded(page, figure, "Data (CSV)");
  expect(table.trim().split("\n")).toHaveLength(1 + 6);
});

test("lays a group's runs over each other, and one beside another of its seed", async () => {
  await page.getByRole("link", { name: "Runs over each other" }).first().click();
  const plot = page.getByRole("group", { name: /^2 runs over each other:/ });
  await plot.locator("canvas").first().waitFor();
  const place = await plot.boundingBox();
  if (place === null) throw new Error("the plot is not shown");
  await plot.click({ position: { x: place.width / 2, y: 90 } });
  await page.waitForURL(/[?&]run=/);
  made.overlay = new URL(page.url()).pathname + new URL(page.url()).search;
  await page.getByRole("link", { name: /htbm/ }).first().click();
  await page.getByText(/^They part at/).waitFor();
  await page.getByText("Chance was the same in both", { exact: false }).waitFor();
  await page
    .getByRole("group", { name: /^Segments from request .*: Segments, Sequence/ })
    .waitFor();
  await page.goto(`${home}/campaigns/${made.first}/results`);
  await page.getByRole("tab", { name: "Results" }).waitFor();
});

test("maps what a factor does to all metrics, and leads to the results", async () => {
  await page.goto(`${home}/campaigns/${made.first}/effects`);
  const map = page.getByRole("table");
  await map.getByRole("columnheader", { name: "rwtm · illinois" }).waitFor();
  expect(await map.getByRole("columnheader").count()).toBe(1 + 4);
  await map
    .getByRole("row", { name: /^Mean bitrate/ })
    .getByRole("link")
    .first()
    .click();
  await page.waitForURL(/results[?].*metric=mean_bitrate_bps/);
  await page.getByRole("tab", { name: "Results" }).waitFor();
});

test("sorts the runs by a metric of one's choice, and lays two beside each other", async () => {
  await page.getByRole("tab", { name: "Runs" }).click();
  await page.getByRole("button", { name: "Metrics" }).click();
  await page.getByRole("combobox", { name: "Metrics of each run" }).click();
  await page.getByRole("option", { name: "Mean bitrate", exact: true }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Mean bitrate", exact: true }).click();
  await page.waitForURL(/[?&]sort=mean_bitrate_bps/);
  const heads = await page.getByRole("columnheader").allInnerTexts();
  const rising = async (): Promise<boolean> => {
    const rows = page.getByRole("row").filter({ has: page.getByRole("checkbox") });
    const texts = await rows.evaluateAll(
      (found, place) => found.map((row) => row.children[place]?.textContent ?? ""),
      heads.indexOf("Mean bitrate") + 1,
    );
    const values = texts.map((text) => parseFloat(text) * (text.includes("k") ? 1e3 : 1e6));
    return values.length === RUNS && values.every((value, at) => value >= (values[at - 1] ?? 0));
  };
  await expect.poll(rising).toBe(true);
  const choose = page.getByRole("checkbox", { name: /^Choose run/ });
  await choose.nth(0).click();
  await choose.nth(1).click();
  await page.getByRole("link", { name: "Beside each other" }).click();
  await page.getByText(/^They (never )?part/).waitFor();
  await page.goto(`${home}/campaigns/${made.first}`);
});

test("opens a run and zooms into it", async () => {
  await page.getByRole("tab", { name: "Runs" }).click();
  await page.getByRole("link", { name: /^\d+$/ }).first().click();
  await page.getByRole("heading", { name: /^Run \d+ – short$/ }).waitFor();
  made.run = idOf();
  const plot = page.getByRole("group", { name: /^Run \d+ – short:/ });
  await plot.locator("canvas").first().waitFor();
  await page.getByText("Reading TCP and the queue").waitFor({ state: "detached" });
  await plot.focus();
  await page.keyboard.press("+");
  await page.waitForURL(/[?&]from=/);
  const { searchParams: zoomed } = new URL(page.url());
  const shown = Number(zoomed.get("to")) - Number(zoomed.get("from"));
  expect(shown).toBeGreaterThan(0);
  expect(shown).toBeLessThan(20);
  const figure = page.locator("figure").first();
  expect(await story.downloaded(page, figure, "Picture (SVG)")).toMatch(/^<svg[\s>]/);
  // As text: its first byte is none of UTF-8. An empty picture is smaller.
  const png = await story.downloaded(page, figure, "Picture (PNG)");
  expect(png).toMatch(/^\ufffdPNG/);
  expect(png.length).toBeGreaterThan(5_000);
  const table = await story.downloaded(page, figure, "Data (CSV)");
  expect(table.split("\n").length).toBeGreaterThan(20);
  await plot.focus();
  await page.keyboard.press("0");
  await page.waitForURL(({ searchParams }) => !searchParams.has("from"));
});
