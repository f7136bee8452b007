import { Anchor, Group, Paper, Table, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { StateBadge } from "#/shared/states/StateBadge";
import { StateBar } from "#/shared/states/StateBar";
import { Time } from "#/shared/time/Time";
import { count, duration } from "#/shared/units/format";
import { ended, type Campaign } from "./moving";

function took({ started_at: from, ended_at: to }: Campaign): string {
  return from !== null && to !== null ? duration((Date.parse(to) - Date.parse(from)) / 1000) : "–";
}

export function CampaignsTable({
  team,
  campaigns,
}: {
  team: string;
  campaigns: readonly Campaign[];
}): ReactElement {
  return (
    <Paper style={{ overflow: "hidden" }}>
      <Table highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th w={110}>State</Table.Th>
            <Table.Th w={220} visibleFrom="sm">
              Runs
            </Table.Th>
            <Table.Th w={110} visibleFrom="md">
              Took
            </Table.Th>
            <Table.Th w={120} visibleFrom="xs">
              Submitted
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {campaigns.map((campaign) => {
            const failed = (campaign.counts.failed ?? 0) + (campaign.counts.invalid ?? 0);
            return (
              <Table.Tr key={campaign.id}>
                <Table.Td>
                  <Anchor
                    fw={550}
                    renderRoot={(props) => (
                      <Link
                        to="/teams/$team/campaigns/$campaign"
                        params={{ team, campaign: campaign.id }}
                        {...props}
                      />
                    )}
                  >
                    {campaign.name}
                  </Anchor>
                  <Text size="xs" c="dimmed" lineClamp={1} maw={640}>
                    {campaign.description}
                  </Text>
                </Table.Td>
                <Table.Td>
                  <StateBadge state={campaign.state} />
                </Table.Td>
                <Table.Td visibleFrom="sm">
                  <StateBar counts={campaign.counts} of={campaign.run_count} />
                  <Group justify="space-between" gap="xs" mt={3}>
                    <Text size="xs" c="dimmed">
                      {count(ended(campaign.counts))} of {count(campaign.run_count)}
                    </Text>
                    {failed > 0 && (
                      <Text size="xs" c="var(--weir-failed)">
                        {count(failed)} failed or invalid
                      </Text>
                    )}
                  </Group>
                </Table.Td>
                <Table.Td visibleFrom="md">{took(campaign)}</Table.Td>
                <Table.Td visibleFrom="xs">
                  <Time at={campaign.created_at} />
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
