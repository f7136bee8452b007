import { expect, it } from "vitest";
import { suggestions, type Choices } from "./choices";
import type { JsonSchema } from "./schema";

const NONE: Choices = { players: [], congestion_controls: [], metrics: [] };

it("offers a level once that may be written as a number or as text", () => {
  const server: JsonSchema = { properties: { http_version: { enum: [1.1, 2, "1.1", "2"] } } };
  const root: JsonSchema = { properties: { experiment: { properties: { server } } } };
  expect(suggestions(root, NONE, ["server", "http_version"])).toEqual(["1.1", "2"]);
});

it("offers the names of the gateway's paths where a client, traffic or an event names one", () => {
  const campaign = { experiment: { gateway: { paths: { wifi: {}, lte: {} } } } };
  const at = (...path: (string | number)[]): string[] => suggestions({}, NONE, path, campaign);
  for (const path of [
    ["clients", 0, "paths"],
    ["clients", 0, "paths", 1],
    ["clients", 1, "backup"],
    ["traffic", 0, "path"],
    ["events", 2, "path"],
  ])
    expect(at(...path)).toEqual(["wifi", "lte"]);
  expect(at("gateway", "path")).toEqual([]);
  expect(suggestions({}, NONE, ["events", 0, "path"])).toEqual([]);
});
