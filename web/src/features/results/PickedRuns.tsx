import { Anchor, Group, Paper, Text } from "@mantine/core";
import { IconStack2, IconTable } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import type { Campaign } from "#/shared/campaign/moving";
import { useTeam } from "#/shared/session/session";
import { ALL, cellText } from "./pivot";
import type { Asked, CellName } from "./search";

interface PickedRunsProps {
  campaign: Campaign;
  asked: Asked;
  picked: readonly CellName[];
}

/** The levels that all runs of a group have. */
export function levelsOf(
  { rows, columns, levels }: Pick<Asked, "rows" | "columns" | "levels">,
  [row, column]: CellName,
): Record<string, string> {
  return {
    ...levels,
    ...(rows === null || row === ALL ? {} : { [rows]: row }),
    ...(columns === null || column === ALL ? {} : { [columns]: column }),
  };
}

/** From each picked group to its runs: over each other, and as rows. */
export function PickedRuns({ campaign, asked, picked }: PickedRunsProps): ReactElement {
  const params = { team: useTeam(), campaign: campaign.id };
  return (
    <Paper px="md" py="xs">
      {picked.map((name) => {
        const levels = levelsOf(asked, name);
        const { metric, client } = asked;
        return (
          <Group key={cellText(name)} gap="md" py={3}>
            <Text size="sm" fw={550} miw={120}>
              {cellText(name) === ALL ? "all runs" : cellText(name)}
            </Text>
            <Anchor
              size="sm"
              renderRoot={(props) => (
                <Link
                  to="/teams/$team/campaigns/$campaign/overlay"
                  params={params}
                  search={{ levels, metric, rank: client ?? undefined }}
                  {...props}
                />
              )}
            >
              <Group gap={4} component="span">
                <IconStack2 size={15} /> Runs over each other
              </Group>
            </Anchor>
            <Anchor
              size="sm"
              renderRoot={(props) => (
                <Link
                  to="/teams/$team/campaigns/$campaign"
                  params={params}
                  search={{ levels }}
                  {...props}
                />
              )}
            >
              <Group gap={4} component="span">
                <IconTable size={15} /> Runs in a table
              </Group>
            </Anchor>
          </Group>
        );
      })}
    </Paper>
  );
}
