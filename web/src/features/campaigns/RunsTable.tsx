import { Anchor, Button, Chip, Group, Paper, Pill, Select, Table, Text } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { levelText } from "#/shared/levels/text";
import { useTeam } from "#/shared/session/session";
import { StateBadge } from "#/shared/states/StateBadge";
import { STATES } from "#/shared/theme/palette";
import { Time } from "#/shared/time/Time";
import { Loaded } from "#/shared/ui/Loaded";
import { duration } from "#/shared/units/format";
import type { Campaign } from "./moving";
import { runsQuery, type Poll } from "./queries";
import { RUN_SORTS, type CampaignSearch } from "./search";

const SORTS: Record<(typeof RUN_SORTS)[number], string> = {
  position: "in the campaign's order",
  started: "first begun first",
  "-started": "last begun first",
  wall_s: "fastest first",
  "-wall_s": "slowest first",
};

interface RunsTableProps {
  campaign: Campaign;
  poll: Poll;
  search: CampaignSearch;
  onChange: (next: CampaignSearch) => void;
}

/** A campaign's runs, by state and by levels. */
export function RunsTable({ campaign, poll, search, onChange }: RunsTableProps): ReactElement {
  const team = useTeam();
  const { state, levels = {}, sort } = search;
  const runs = useInfiniteQuery({
    ...runsQuery(campaign.id, search),
    placeholderData: keepPreviousData,
    refetchInterval: poll,
  });
  return (
    <Paper style={{ overflow: "hidden" }}>
      <Group p="sm" gap="sm" justify="space-between">
        <Group gap={6}>
          <Chip.Group
            multiple
            value={state ?? []}
            onChange={(chosen) => onChange({ state: chosen.length === 0 ? undefined : chosen })}
          >
            {STATES.filter((each) => (campaign.counts[each] ?? 0) > 0).map((each) => (
              <Chip key={each} value={each} size="xs" variant="outline">
                {each}
              </Chip>
            ))}
          </Chip.Group>
          {Object.entries(levels).map(([factor, text]) => (
            <Pill
              key={factor}
              withRemoveButton
              onRemove={() => {
                const rest = Object.fromEntries(
                  Object.entries(levels).filter(([each]) => each !== factor),
                );
                onChange({ levels: Object.keys(rest).length === 0 ? undefined : rest });
              }}
              removeButtonProps={{ "aria-label": `Any ${factor}` }}
            >
              {factor} = {text}
            </Pill>
          ))}
        </Group>
        <Select
          aria-label="Order"
          w={190}
          allowDeselect={false}
          value={sort ?? "position"}
          data={RUN_SORTS.map((value) => ({ value, label: SORTS[value] }))}
          onChange={(value) =>
            onChange({
              sort: value === "position" || value === null ? undefined : value,
            })
          }
        />
      </Group>
      <Loaded query={runs} height={240}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items);
          return (
            <>
              <Table.ScrollContainer minWidth={480}>
                <Table highlightOnHover>
                  <Table.Thead>
                    <Table.Tr>
                      <Table.Th w={64}>Run</Table.Th>
                      <Table.Th w={110}>State</Table.Th>
                      {campaign.factors.map((factor) => (
                        <Table.Th key={factor} title={factor}>
                          {factor.split(".").slice(-2).join(".")}
                        </Table.Th>
                      ))}
                      <Table.Th w={90}>Replicate</Table.Th>
                      <Table.Th w={90}>Took</Table.Th>
                      <Table.Th w={120}>Ended</Table.Th>
                    </Table.Tr>
                  </Table.Thead>
                  <Table.Tbody>
                    {items.map((run) => (
                      <Table.Tr key={run.id}>
                        <Table.Td>
                          <Anchor
                            size="sm"
                            renderRoot={(props) => (
                              <Link
                                to="/teams/$team/runs/$run"
                                params={{ team, run: String(run.id) }}
                                {...props}
                              />
                            )}
                          >
                            {run.position + 1}
                          </Anchor>
                        </Table.Td>
                        <Table.Td>
                          <StateBadge state={run.state} />
                        </Table.Td>
                        {campaign.factors.map((factor) => (
                          <Table.Td key={factor}>
                            {factor in run.levels ? levelText(run.levels[factor]) : "–"}
                          </Table.Td>
                        ))}
                        <Table.Td>{run.replicate + 1}</Table.Td>
                        <Table.Td>{duration(run.wall_s)}</Table.Td>
                        <Table.Td>
                          <Time at={run.ended_at} />
                        </Table.Td>
                      </Table.Tr>
                    ))}
                  </Table.Tbody>
                </Table>
              </Table.ScrollContainer>
              {items.length === 0 && (
                <Text c="dimmed" size="sm" ta="center" py="lg">
                  No run fits.
                </Text>
              )}
              {runs.hasNextPage && (
                <Group justify="center" p="sm">
                  <Button
                    variant="default"
                    loading={runs.isFetchingNextPage}
                    onClick={() => void runs.fetchNextPage()}
                  >
                    Show more
                  </Button>
                </Group>
              )}
            </>
          );
        }}
      </Loaded>
    </Paper>
  );
}
