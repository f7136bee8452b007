/** The form of a new campaign offers what a player takes. Nothing is run. */
import { expect, test } from "vitest";
import * as story from "../story";
import { home, person, tab } from "./stage";

const SETTING = "streaming.buffer.bufferTimeDefault";

test("chooses a player with its version and a setting in the form", async () => {
  // In a browser of its own, which remembers what was not submitted.
  const form = await tab(await person());
  await form.goto("/sign-in");
  await story.signIn(form, story.ADA);
  await form.waitForURL(`**${home}/campaigns`);
  await form.goto(`${home}/campaigns/new`);
  await form.getByRole("button", { name: /^quickstart/ }).click();
  await form.getByText("Form", { exact: true }).click();
  const client = form.getByRole("group", { name: "client 1", exact: true });
  await client.getByLabel("client 1 player", { exact: true }).fill("dashjs");
  await client.getByRole("button", { name: "options of dashjs" }).click();
  await client.getByLabel("client 1 options version", { exact: true }).click();
  await form.getByRole("option", { name: "5.2.0", exact: true }).click();
  await client.getByRole("button", { name: "settings", exact: true }).click();
  await client.getByLabel("Another setting").fill("bufferTimeDefault");
  await form.getByRole("option", { name: SETTING, exact: true }).click();

  const setting = client.getByLabel(`client 1 options settings ${SETTING}`, { exact: true });
  await setting.fill("8s");
  await client.getByText(/a finite number/).waitFor();
  await setting.fill("8");
  await form.getByRole("img", { name: /clients: 2 × dashjs/ }).waitFor();
  await form.getByRole("button", { name: "Submit 18 runs" }).waitFor();

  await form.getByText("YAML", { exact: true }).click();
  const editor = form.getByLabel("The campaign as YAML");
  await editor.click();
  await form.keyboard.press("ControlOrMeta+End"); // it holds the lines in view alone
  await editor.getByText(`${SETTING}: 8`).waitFor();
  expect(await editor.innerText()).toMatch(
    /player: dashjs\s+count: 2\s+options:\s+version: 5\.2\.0/,
  );
  await form.context().close();
});
