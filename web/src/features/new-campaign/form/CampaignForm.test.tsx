import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState, type ReactElement } from "react";
import { expect, it } from "vitest";
import type { Choices } from "../choices";
import { CampaignForm } from "./CampaignForm";
import type { JsonSchema } from "../schema";

const schema: JsonSchema = {
  properties: {
    name: { type: "string" },
    description: { type: "string", default: "" },
    replicates: { type: "integer", default: 1 },
    seed: { type: "integer", default: 1 },
    experiment: {
      type: "object",
      required: ["duration"],
      properties: {
        duration: { type: "string" },
        server: {
          type: "object",
          properties: {
            http: { type: "string", enum: ["nginx", "apache"], default: "nginx" },
            congestion_control: { type: "string", default: "cubic" },
          },
        },
      },
    },
  },
};
const choices: Choices = {
  players: [],
  congestion_controls: ["cubic", "illinois"],
  metrics: [],
};

let text = "";

function Form({ initial }: { initial: string }): ReactElement {
  const [typed, setTyped] = useState(initial);
  return (
    <MantineProvider>
      <CampaignForm
        text={typed}
        onChange={(next) => {
          text = next;
          setTyped(next);
        }}
        schema={schema}
        choices={choices}
        problems={[
          { path: "experiment.duration", value: 20, allowed: "a duration", remedy: "add the unit" },
        ]}
      />
    </MantineProvider>
  );
}

const TEXT = "name: quick # mine\nexperiment:\n  duration: 20\n";

it("writes into the text what is typed into a field, and says what is wrong with it", async () => {
  render(<Form initial={TEXT} />);
  expect(screen.getByText(/add the unit/)).toBeVisible();
  await userEvent.type(screen.getByRole("textbox", { name: "duration" }), "s");
  expect(text).toBe("name: quick # mine\nexperiment:\n  duration: 20s\n");
  await userEvent.type(screen.getByRole("textbox", { name: "replicates" }), "5");
  expect(text).toContain("replicates: 5\n");
  await userEvent.clear(screen.getByRole("textbox", { name: "replicates" }));
  expect(text).not.toContain("replicates");
});

it("makes a factor of a field, whose levels stand there then", async () => {
  render(<Form initial={TEXT} />);
  await userEvent.click(screen.getByRole("button", { name: "Vary server congestion control" }));
  expect(text).toContain("factors:\n  server.congestion_control: [cubic]\n");
  expect(screen.queryByRole("textbox", { name: "server congestion control" })).toBeNull();
  expect(screen.getByText("varied")).toBeVisible();
});

it("waits while the text is no YAML", () => {
  render(<Form initial={"name: [\n"} />);
  expect(screen.getByText("This is no YAML at the moment")).toBeVisible();
});
