import { Paper, Stack, Text } from "@mantine/core";
import type { ReactElement } from "react";
import { api } from "#/api/client";
import type { Campaign } from "#/shared/campaign/moving";
import { CellDrawing } from "#/shared/cell/CellDrawing";
import { shortFactor } from "#/shared/levels/factor";
import { CodeBlock } from "#/shared/ui/CodeBlock";
import { Loaded } from "#/shared/ui/Loaded";
import { count } from "#/shared/units/format";

/** The cell of the first combination, and the campaign as it was submitted. */
export function ExperimentTab({ campaign }: { campaign: Campaign }): ReactElement {
  const document = api.useQuery(
    "get",
    "/api/v1/campaigns/{campaign}/document",
    { params: { path: { campaign: campaign.id } } },
    { staleTime: Infinity },
  );
  return (
    <Loaded query={document} height={320}>
      {({ document: text, cell }) => (
        <Stack>
          {cell !== null && (
            <Paper p="md">
              <CellDrawing cell={cell} />
              {campaign.combination_count > 1 && (
                <Text size="xs" c="dimmed" mt="xs">
                  The first of {count(campaign.combination_count)} combinations; others have other
                  levels of {campaign.factors.map(shortFactor).join(", ")}.
                </Text>
              )}
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
