import { Code, Paper, Stack } from "@mantine/core";
import type { ReactElement } from "react";
import { api } from "#/api/client";
import { CellDrawing } from "#/shared/cell/CellDrawing";
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
            <Code block bg="transparent" tabIndex={0}>
              {text}
            </Code>
          </Paper>
        </Stack>
      )}
    </Loaded>
  );
}
