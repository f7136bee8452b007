import { expect, it } from "vitest";
import { suggestions } from "./choices";
import { factorsOf } from "./factors";
import { optionPaths, settingsAt } from "./playerOptions";
import { DASHJS_CHOICES } from "#/testing/players";
import { read } from "./yamlText";

const CLIENT = ["experiment", "clients", 0];

function names(client: string, factors = "{}"): string[] {
  const { value } = read(`experiment: {clients: [${client}]}\nfactors: ${factors}\n`);
  return settingsAt(DASHJS_CHOICES, value, factorsOf(value), CLIENT).map(({ name }) => name);
}

it("are the settings of the version that is written, or of the newest", () => {
  expect(names("{player: dashjs}")).toEqual([
    "debug.logLevel",
    "streaming.seekBackoff",
    "streaming.catchup",
    "cmcd.sid",
  ]);
  expect(names("{player: dashjs, options: {version: 5.2.0}}")).toEqual(["debug.logLevel"]);
  expect(names("{player: bola}")).toEqual([]);
});

it("are those that all versions have which a factor sets", () => {
  const factors = "{clients.0.options.version: [5.2.0, 5.2.1]}";
  expect(names("{player: dashjs}", factors)).toEqual(["debug.logLevel"]);
  expect(names("{player: dashjs}", "{clients.0.player: [dashjs, bola]}")).toEqual([]);
});

it("can be varied, each by its dotted path, and offer what may stand there", () => {
  const { value } = read("experiment: {clients: [{player: bola}, {player: dashjs}]}");
  const found = optionPaths(DASHJS_CHOICES, value, []);
  expect([...found.keys()]).toEqual([
    "clients.1.options.version",
    "clients.1.options.settings.debug.logLevel",
    "clients.1.options.settings.streaming.seekBackoff",
    "clients.1.options.settings.streaming.catchup",
    "clients.1.options.settings.cmcd.sid",
  ]);
  const offered = (...path: string[]): string[] =>
    suggestions({}, DASHJS_CHOICES, ["clients", 1, "options", ...path], value);
  expect(offered("version")).toEqual(["5.2.0", "5.2.1"]);
  expect(offered("settings", "streaming", "seekBackoff")).toEqual(["true", "false"]);
  expect(offered("settings", "streaming.catchup")).toEqual(["true", "false"]);
  expect(offered("settings", "debug.logLevel")).toEqual([]);
  expect(found.get("clients.1.options.settings.cmcd.sid")).toEqual({ type: "string" });
});
