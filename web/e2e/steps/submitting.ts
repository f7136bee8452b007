/** The first campaign: from signing in to its runs. */
import { loadavg } from "node:os";
import { expect, test } from "vitest";
import * as story from "../story";
import { RUNS, RUNS_END_MS, home, page, made, person, tab, idOf } from "./stage";

test("signs in, and is told when the password is wrong", async () => {
  await page.goto("/sign-in");
  await story.signIn(page, { ...story.ADA, password: "difference engine" });
  await page.getByRole("alert").waitFor();
  await story.signIn(page, story.ADA);
  await page.waitForURL(`**${home}/campaigns`);
  await page.getByText("No campaigns yet").waitFor();
  const drawing = page.getByRole("img", { name: /^Server nginx with cubic/ });
  await drawing.locator("[data-part=packets]").waitFor({ state: "attached" });
});

test("answers the quickstart's question after three clicks, within a minute", async () => {
  const quiet = loadavg()[0] ?? Infinity;
  const newcomer = await tab(await person());
  await newcomer.goto("/sign-in");
  await story.signIn(newcomer, story.BOB);
  await newcomer.getByText("No campaigns yet").waitFor();
  const began = Date.now();
  await newcomer.getByRole("link", { name: /^Begin with the quickstart/ }).click();
  await newcomer.getByRole("button", { name: "Submit 18 runs" }).click();
  await newcomer.getByRole("tab", { name: "Results" }).click();
  const answered = newcomer.getByRole("table").getByText("n = 3");
  await expect.poll(() => answered.count(), { timeout: RUNS_END_MS, interval: 200 }).toBe(6);
  const seconds = (Date.now() - began) / 1000;
  console.log(`answered after ${seconds.toFixed(1)} s, at a load average of ${quiet.toFixed(1)}`);
  // 18 runs take their time on a machine that does other things as well.
  if (quiet < 1) expect(seconds).toBeLessThan(60);
  await newcomer.context().close();
});

test("writes a short quickstart, and watches it to the end", async () => {
  await page.getByRole("link", { name: "New campaign" }).click();
  await page.getByRole("button", { name: /^quickstart/ }).click();
  await story.write(page, story.shortened("short"));
  await page.getByRole("button", { name: `Submit ${RUNS} runs` }).click();
  await page.getByRole("heading", { name: "short", level: 1 }).waitFor();
  made.first = idOf();
  await page.getByRole("main").getByText("finished").first().waitFor({ timeout: RUNS_END_MS });
  const succeeded = page.getByRole("table").getByText("succeeded");
  await expect.poll(() => succeeded.count()).toBe(RUNS);
});

test("says of which combination the cell is drawn", async () => {
  await page.goto(`${home}/campaigns/${made.first}?tab=experiment`);
  await page.getByText("The first of 6 combinations; others have other levels of").waitFor();
});

test("asks for nothing of a campaign that was not asked for before its code came", async () => {
  await page.goto(`${home}/campaigns/${made.first}`);
  await page.getByRole("table").getByText("succeeded").first().waitFor();
  const asked = await page.evaluate((campaign) => {
    const loads = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
    const early = new Set(
      loads.flatMap((each) => (each.initiatorType === "link" ? each.name : [])),
    );
    const about = loads.filter(({ name }) => name.includes(campaign) && !name.includes("/events"));
    return { early: early.size, late: about.filter(({ name }) => !early.has(name)).length };
  }, made.first);
  expect(asked.late).toBe(0);
  expect(asked.early).toBeGreaterThanOrEqual(5);
});
