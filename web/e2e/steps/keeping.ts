/** What is made of results: cards, runs again, answers, comparisons. */
import { expect, test } from "vitest";
import * as story from "../story";
import { RUNS, RUNS_END_MS, home, page, made, person, idOf } from "./stage";

test("marks on bars what differs beyond chance, and copies the view", async () => {
  await page.goto(`${home}/campaigns/${made.first}/results`);
  await page.getByText(/beyond chance from$/).waitFor();
  await page.getByLabel("Compared with").selectOption({ index: 1 });
  await page.waitForURL(/[?&]against=/);
  await page.getByRole("button", { name: /^Download / }).click();
  await page.getByRole("menuitem", { name: "weir_sdk" }).click();
  await page.getByText("Copied as weir_sdk").waitFor();
});

test("keeps a figure as a card, shows it to others by a link, and ends that", async () => {
  await page.goto(`${home}/campaigns/${made.first}/results`);
  await page.getByRole("button", { name: /^Download / }).click();
  await page.getByRole("menuitem", { name: "Keep as a card" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill("Figure 3");
  await dialog.getByLabel("What it shows").fill("Illinois <b>wins</b>.");
  await dialog.getByRole("button", { name: "Keep it" }).click();
  await page.getByRole("heading", { name: "Figure 3", level: 1 }).waitFor();
  made.card = idOf();
  await page.getByRole("button", { name: "Share" }).click();
  await dialog.getByRole("button", { name: "Make a link" }).click();
  const address = await dialog.getByText(/\/api\/v1\/shared\//).innerText();
  const stranger = await (await person()).newPage();
  await stranger.goto(address);
  await stranger.getByRole("heading", { name: "Figure 3" }).waitFor();
  expect(await stranger.getByText("Illinois <b>wins</b>.").count()).toBe(1);
  const width = (image: HTMLElement): number => (image as HTMLImageElement).naturalWidth;
  expect(await stranger.locator("img").evaluate(width)).toBeGreaterThan(300);
  await dialog.getByRole("button", { name: "End the link" }).click();
  await dialog.getByRole("button", { name: "Make a link" }).waitFor();
  expect((await stranger.request.get(address)).status()).toBe(404);
  await stranger.context().close();
});

test("has a card's runs carried out again, and says that they have the same bytes", async () => {
  await page.goto(`${home}/cards/${made.card}`);
  await page.getByRole("button", { name: "Reproduce" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Expected time").waitFor();
  expect(await dialog.getByRole("button", { name: "Close" }).count()).toBe(1);
  await dialog.getByRole("button", { name: `Carry out ${RUNS} runs again` }).click();
  const again = page.getByRole("region", { name: "Carried out again" });
  await again.getByText("same bytes", { exact: true }).waitFor({ timeout: RUNS_END_MS });
  expect(await again.getByText("Not compared").count()).toBe(0);
});

test("shows a failed run's curves, and the line that it failed at", async () => {
  const failing = await story.submitFailing(page.request);
  await page.goto(`${home}/campaigns/${failing}`);
  await page.getByText("1 of 1 runs did not succeed").waitFor({ timeout: RUNS_END_MS });
  await page.getByRole("link", { name: /^\d+$/ }).first().click();
  await page.getByText(/half\.py: choose for segment 4 of client 1 raised ValueError/).waitFor();
  await page.getByText("half.py, line 6").waitFor();
  const wrong = page.getByRole("alert").locator("mark");
  expect(await wrong.innerText()).toContain("self.ladder.index(state.segment)");
  await page.getByRole("group", { name: /^Run \d+ – failing: Quality/ }).waitFor();
});

test("answers whether one beats the other, with the runs that show it", async () => {
  await page.goto(`${home}/campaigns/new`);
  await page.getByLabel("of film").fill("20s");
  await page.getByLabel("Seeds at most").fill("4");
  await page.getByText(/^8 runs at most/).waitFor();
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByRole("heading", { name: "does-illinois-beat-cubic", level: 1 }).waitFor();
  const answer = page.getByRole("region", { name: "The answer" });
  await page.getByRole("main").getByText("finished").first().waitFor({ timeout: RUNS_END_MS });
  await answer.getByText(/^(Yes|No|Neither|Not told yet): .*illinois/).waitFor();
  await answer.getByRole("link", { name: /^typical/ }).click();
  await page.getByText("Chance was the same in both", { exact: false }).waitFor();
});

test("submits another from the first, and compares both", async () => {
  await page.goto(`${home}/campaigns/new?campaign=${made.first}`);
  await story.write(page, story.shortened("short-again", "20%"));
  await page.getByRole("button", { name: `Submit ${RUNS} runs` }).click();
  await page.getByRole("heading", { name: "short-again", level: 1 }).waitFor();
  made.second = idOf();
  await page.getByRole("main").getByText("finished").first().waitFor({ timeout: RUNS_END_MS });
  await page.goto(`${home}/compare?a=${made.first}&b=${made.second}`);
  const differing = page.getByRole("row", { name: /headroom/ });
  await differing.waitFor();
  expect(await differing.innerText()).toMatch(/10%[^]*20%/);
  // Six cells: the two that are not shaped do not know the headroom, so they are the same runs.
  const same = page.getByRole("row", { name: /^none/ });
  await same.first().waitFor();
});
