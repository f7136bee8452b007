/** A form to test: what it writes into the text, it shows. */
import { MantineProvider } from "@mantine/core";
import { render } from "@testing-library/react";
import { useState, type ReactElement } from "react";
import type { Choices } from "../choices";
import type { JsonSchema } from "../schema";
import { CampaignForm, type FormProps } from "./CampaignForm";

const NONE: Choices = { players: [], congestion_controls: [], metrics: [] };
let text = "";

type Given = Omit<FormProps, "text" | "onChange">;

function Written({ initial, given }: { initial: string; given: Given }): ReactElement {
  const [typed, setTyped] = useState(initial);
  return (
    <MantineProvider>
      <CampaignForm
        {...given}
        text={typed}
        onChange={(next) => {
          text = next;
          setTyped(next);
        }}
      />
    </MantineProvider>
  );
}

/** Shows a text in a form of this schema. */
export function show(
  initial: string,
  schema: JsonSchema,
  { choices = NONE, problems = [] }: Partial<Given> = {},
): void {
  text = "";
  render(<Written initial={initial} given={{ schema, choices, problems }} />);
}

/** The text as the form last wrote it; empty while it has not. */
export const written = (): string => text;
