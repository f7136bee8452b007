import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { DASHJS_CHOICES } from "#/testing/players";
import { show, written } from "./written";

const client = {
  type: "object",
  properties: {
    player: { type: "string" },
    options: { type: "object", additionalProperties: {} },
  },
};
const schema = {
  properties: {
    name: { type: "string" },
    experiment: {
      type: "object",
      properties: { clients: { type: "array", items: client } },
    },
  },
};

const TEXT = "name: a\nexperiment:\n  clients:\n    - {player: dashjs}\n";
const experiment = (): unknown => (parse(written()) as { experiment: unknown }).experiment;
const form = (text: string): void => show(text, schema, { choices: DASHJS_CHOICES });

it("offers the settings of the player's version, adds one with its default, and takes it away", async () => {
  form(TEXT);
  await userEvent.click(screen.getByRole("button", { name: "options of dashjs" }));
  await userEvent.click(screen.getByRole("button", { name: "settings" }));
  const [another] = screen.getAllByRole("combobox", { name: "Another setting" });
  await userEvent.click(another ?? document.body);
  await userEvent.click(
    await screen.findByRole("option", { name: "debug.logLevel", hidden: true }),
  );
  const value = (settings: object) => ({ clients: [{ player: "dashjs", options: { settings } }] });
  expect(experiment()).toEqual(value({ "debug.logLevel": 0 }));
  const field = screen.getByRole("textbox", { name: /debug.logLevel/ });
  await userEvent.clear(field);
  await userEvent.type(field, "4");
  expect(experiment()).toEqual(value({ "debug.logLevel": 4 }));
  await userEvent.click(screen.getByRole("button", { name: "Remove debug.logLevel" }));
  expect(written()).not.toContain("logLevel");
});

it("shows what is nested by its dotted path, and what a factor sets, which is not removed there", () => {
  const nested = "options: {settings: {debug: {logLevel: 4}}}";
  const factors = "factors:\n  clients.0.options.settings.streaming.seekBackoff: [true, false]\n";
  form(TEXT.replace("dashjs", `dashjs, ${nested}`) + factors);
  const settings = within(screen.getByRole("group", { name: "settings" }));
  expect(settings.getByRole("textbox", { name: /debug logLevel/ })).toHaveValue("4");
  expect(settings.getByText("streaming.seekBackoff")).toBeVisible();
  expect(settings.getByText("varied")).toBeVisible();
  expect(settings.queryByRole("button", { name: "Remove streaming.seekBackoff" })).toBeNull();
});

it("opens the options of a player where a factor sets one", () => {
  form(`${TEXT}factors:\n  clients.0.options.version: [5.2.0, 5.2.1]\n`);
  expect(screen.getByRole("group", { name: "options of dashjs" })).toHaveTextContent("5.2.0");
});
