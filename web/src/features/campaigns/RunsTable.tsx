import { Anchor, Chip, Group, Paper, Pill, Select, Text } from "@mantine/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import type { Campaign } from "#/shared/campaign/moving";
import { levelText } from "#/shared/levels/text";
import { MoreButton } from "#/shared/paging/MoreButton";
import { useTeam } from "#/shared/session/session";
import { StateBadge } from "#/shared/states/StateBadge";
import { STATES } from "#/shared/theme/palette";
import { Time } from "#/shared/time/Time";
import { DataTable, type Column } from "#/shared/ui/DataTable";
import { Loaded } from "#/shared/ui/Loaded";
import { duration } from "#/shared/units/format";
import { runsQuery, type Poll, type Run } from "./queries";
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

function columnsOf(team: string, factors: readonly string[]): Column<Run>[] {
  return [
    {
      name: "Run",
      w: 64,
      cell: ({ id }) => (
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link to="/teams/$team/runs/$run" params={{ team, run: String(id) }} {...props} />
          )}
        >
          {id}
        </Anchor>
      ),
    },
    { name: "State", w: 110, cell: ({ state }) => <StateBadge state={state} /> },
    ...factors.map((factor) => ({
      name: factor.split(".").slice(-2).join("."),
      title: factor,
      cell: ({ levels }: Run) => (factor in levels ? levelText(levels[factor]) : "–"),
    })),
    { name: "Replicate", w: 90, cell: ({ replicate }) => replicate + 1 },
    { name: "Took", w: 90, cell: ({ wall_s: wall }) => duration(wall) },
    { name: "Ended", w: 120, cell: ({ ended_at: at }) => <Time at={at} /> },
  ];
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
              <DataTable
                columns={columnsOf(team, campaign.factors)}
                rows={items}
                keyOf={({ id }) => id}
                minWidth={480}
              />
              {items.length === 0 && (
                <Text c="dimmed" size="sm" ta="center" py="lg">
                  No run fits.
                </Text>
              )}
              <MoreButton of={runs} label="Show more" />
            </>
          );
        }}
      </Loaded>
    </Paper>
  );
}
