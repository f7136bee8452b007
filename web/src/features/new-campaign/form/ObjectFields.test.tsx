import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { parse } from "yaml";
import type { JsonSchema } from "../schema";
import { show, written } from "./written";

const orNull = (way: string) => ({
  anyOf: [{ $ref: `#/$defs/${way}` }, { type: "null" }],
  default: null,
});
const schema: JsonSchema = {
  properties: {
    name: { type: "string" },
    experiment: {
      type: "object",
      properties: {
        content: {
          type: "object",
          properties: { live: orNull("Live"), upstream: orNull("Upstream") },
        },
      },
    },
  },
  $defs: {
    Live: { type: "object", properties: { chunk: { type: "string", default: "500ms" } } },
    Upstream: { type: "object", properties: { rate: { type: "string" } }, required: ["rate"] },
  },
};
const TEXT = "name: a\nexperiment:\n  content: {}\n";
const experiment = (): unknown => (parse(written()) as { experiment: unknown }).experiment;

it("puts a part there that says something by being there, with all its defaults", async () => {
  show(TEXT, schema);
  await userEvent.click(screen.getByRole("button", { name: "live" }));
  expect(experiment()).toEqual({ content: { live: {} } });
  await userEvent.type(screen.getByRole("textbox", { name: /chunk/ }), "1s");
  expect(experiment()).toEqual({ content: { live: { chunk: "1s" } } });
  await userEvent.clear(screen.getByRole("textbox", { name: /chunk/ }));
  expect(screen.getByRole("group", { name: "live" })).toHaveTextContent("live – left out");
});

it("takes it away again", async () => {
  show(TEXT, schema);
  await userEvent.click(screen.getByRole("button", { name: "live" }));
  await userEvent.click(screen.getByRole("button", { name: "Remove live" }));
  expect(written()).not.toContain("live");
  expect(screen.getByRole("button", { name: "live" })).toBeVisible();
});

it("writes nothing of a part that lacks something until it has it", async () => {
  show(TEXT, schema);
  await userEvent.click(screen.getByRole("button", { name: "upstream" }));
  expect(written()).toBe("");
  expect(screen.queryByRole("button", { name: "Remove upstream" })).toBeNull();
});
