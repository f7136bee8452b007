import { Paper, Stack } from "@mantine/core";
import type { ReactElement } from "react";
import { api } from "#/api/client";
import { CellDrawing } from "#/shared/cell/CellDrawing";
import { CodeBlock } from "#/shared/ui/CodeBlock";
import { Loaded } from "#/shared/ui/Loaded";

/** The cell of the first combination, and the campaign as it was submitted. */
export function ExperimentTab({ campaign }: { campaign: string }): ReactElement {
  const document = api.useQuery(
    "get",
    "/api/v1/campaigns/{campaign}/document",
    { params: { path: { campaign } } },
    { staleTime: Infinity },
  );
  return (
    <Loaded query={document} height={320}>
      {({ document: text, cell }) => (
        <Stack>
          {cell !== null && (
            <Paper p="md">
              <CellDrawing cell={cell} />
            </Paper>
          )}
          <Paper p="md">
            <CodeBlock label="Copy the campaign" text={text} />
          </Paper>
        </Stack>
      )}
    </Loaded>
  );
}
