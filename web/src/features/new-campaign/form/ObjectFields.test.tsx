import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState, type ReactElement } from "react";
import { expect, it } from "vitest";
import { parse } from "yaml";
import type { JsonSchema } from "../schema";
import { CampaignForm } from "./CampaignForm";

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
    Live: { type: "object", properties: { window: { type: "string", default: "30s" } } },
    Upstream: { type: "object", properties: { rate: { type: "string" } }, required: ["rate"] },
  },
};
let text = "";

function Form(): ReactElement {
  const [typed, setTyped] = useState("name: a\nexperiment:\n  content: {}\n");
  const change = (next: string): void => {
    text = next;
    setTyped(next);
  };
  return (
    <MantineProvider>
      <CampaignForm
        text={typed}
        onChange={change}
        schema={schema}
        choices={{ players: [], congestion_controls: [], metrics: [] }}
        problems={[]}
      />
    </MantineProvider>
  );
}

const written = (): unknown => (parse(text) as { experiment: unknown }).experiment;

it("puts a part there that says something by being there, with all its defaults", async () => {
  render(<Form />);
  await userEvent.click(screen.getByRole("button", { name: "live" }));
  expect(written()).toEqual({ content: { live: {} } });
  await userEvent.type(screen.getByRole("textbox", { name: /window/ }), "8s");
  expect(written()).toEqual({ content: { live: { window: "8s" } } });
  await userEvent.clear(screen.getByRole("textbox", { name: /window/ }));
  expect(screen.getByRole("group", { name: "live" })).toHaveTextContent("live – left out");
});

it("takes it away again", async () => {
  render(<Form />);
  await userEvent.click(screen.getByRole("button", { name: "live" }));
  await userEvent.click(screen.getByRole("button", { name: "Remove live" }));
  expect(text).not.toContain("live");
  expect(screen.getByRole("button", { name: "live" })).toBeVisible();
});

it("writes nothing of a part that lacks something until it has it", async () => {
  text = "";
  render(<Form />);
  await userEvent.click(screen.getByRole("button", { name: "upstream" }));
  expect(text).toBe("");
  expect(screen.queryByRole("button", { name: "Remove upstream" })).toBeNull();
});
