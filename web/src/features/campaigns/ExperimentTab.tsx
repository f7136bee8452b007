import { Code, Paper, Stack } from "@mantine/core";
import type { ReactElement } from "react";
import { api } from "#/api/client";
import { CellDrawing } from "#/shared/cell/CellDrawing";
import { Loaded } from "#/shared/ui/Loaded";

/** The cell that all runs have in common, and the campaign as it was submitted. */
export function ExperimentTab({ campaign }: { campaign: string }): ReactElement {
  const document = api.useQuery(
    "get",
    "/api/v1/campaigns/{campaign}/document",
    { params: { path: { campaign } } },
    { staleTime: Infinity },
  );
  return (
    <Loaded query={document} height={320}>
      {({ document: text, spec }) => (
        <Stack>
          <Paper p="md">
            <CellDrawing experiment={spec.experiment} />
          </Paper>
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
