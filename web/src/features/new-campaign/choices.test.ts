import { expect, it } from "vitest";
import { suggestions, type Choices } from "./choices";
import type { JsonSchema } from "./schema";

const NONE: Choices = { players: [], congestion_controls: [], metrics: [] };

it("offers a level once that may be written as a number or as text", () => {
  const server: JsonSchema = { properties: { http_version: { enum: [1.1, 2, "1.1", "2"] } } };
  const root: JsonSchema = { properties: { experiment: { properties: { server } } } };
  expect(suggestions(root, NONE, ["server", "http_version"])).toEqual(["1.1", "2"]);
});
