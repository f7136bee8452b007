import { Chip, Group, Loader, Paper, Pill, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState, type ReactElement } from "react";
import type { Campaign } from "#/shared/campaign/moving";
import { CopyMenu } from "#/shared/copy/CopyMenu";
import { shortFactor } from "#/shared/levels/factor";
import { byName, useChoices } from "#/shared/metrics/metrics";
import { useTeam } from "#/shared/session/session";
import type { Combination } from "#/shared/states/grid";
import { STATES } from "#/shared/theme/palette";
import { Loaded } from "#/shared/ui/Loaded";
import { LongTable } from "#/shared/ui/LongTable";
import type { Visible } from "#/shared/ui/useVisibleRows";
import { ChosenRuns, MOST_CHOSEN } from "./ChosenRuns";
import { runsQuery, staysInPlace, useRunsInView, type Poll, type Run } from "./queries";
import { runColumns } from "./runColumns";
import { LevelFilter, MetricColumns } from "./RunsFilter";
import { askedFor, runsTable } from "./runsTaken";
import type { CampaignSearch } from "./search";

interface RunsTableProps {
  campaign: Campaign;
  combinations: readonly Combination[];
  poll: Poll;
  search: CampaignSearch;
  /** The same at every render: the columns are made of it. */
  onChange: (next: CampaignSearch) => void;
}

const NONE: readonly string[] = [];
const SETTLED_MS = 300;
const keyOf = ({ id }: Run): number => id;

/** Whether runs that are being written are missing at the end of what was fetched. */
function isShort(
  pages: readonly { items: readonly Run[]; next?: string | null }[] | undefined,
  campaign: Campaign,
  { levels }: CampaignSearch,
): boolean {
  if (pages === undefined || pages.at(-1)?.next != null) return false;
  const found = pages.reduce((sum, { items }) => sum + items.length, 0);
  return levels === undefined ? found < campaign.run_count : campaign.state === "expanding";
}

function someOrNone<Value extends object>(value: Value): Value | undefined {
  return Object.keys(value).length === 0 ? undefined : value;
}

/** A campaign's runs: sorted by a click on a head, with the metrics that were chosen. */
export function RunsTable(props: RunsTableProps): ReactElement {
  const { campaign, combinations, poll, search, onChange } = props;
  const team = useTeam();
  const { state, levels = {}, sort = "position", metrics = NONE } = search;
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const choices = useChoices(metrics.length > 0);
  const runs = useInfiniteQuery({
    ...runsQuery(campaign.id, search),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state: { data } }) =>
      staysInPlace(search) && !isShort(data?.pages, campaign, search) ? false : poll,
  });
  const choose = useCallback((run: number) => {
    setChosen((before) => {
      const after = new Set(before);
      if (!after.delete(run) && after.size < MOST_CHOSEN) after.add(run);
      return after;
    });
  }, []);
  const columns = useMemo(() => {
    const known = byName(choices.data?.metrics ?? []);
    return runColumns({
      team,
      factors: campaign.factors,
      metrics: metrics.map((name) => {
        const about = known.get(name);
        return { name, title: about?.title ?? name, unit: about?.unit ?? "", about };
      }),
      sort,
      onSort: (next) => onChange({ sort: next }),
      chosen,
      onChoose: choose,
    });
  }, [team, campaign.factors, metrics, choices.data, sort, onChange, chosen, choose]);
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = runs;
  const more = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, fetchNextPage]);
  const items = useMemo(() => runs.data?.pages.flatMap((page) => page.items) ?? [], [runs.data]);
  const [view, setView] = useState<Visible>({ first: 0, end: 0 });
  const [settled] = useDebouncedValue(view, SETTLED_MS);
  useRunsInView(campaign.id, search, items.slice(settled.first, settled.end), poll);
  return (
    <Paper style={{ overflow: "hidden" }}>
      <Group p="sm" gap="sm" justify="space-between">
        <Group gap={6}>
          <Chip.Group
            multiple
            value={state ?? []}
            onChange={(next) => onChange({ state: next.length === 0 ? undefined : next })}
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
                const rest = Object.entries(levels).filter(([each]) => each !== factor);
                onChange({ levels: someOrNone(Object.fromEntries(rest)) });
              }}
              removeButtonProps={{ "aria-label": `Any ${shortFactor(factor)}` }}
            >
              {shortFactor(factor)} = {text}
            </Pill>
          ))}
        </Group>
        <Group gap="xs">
          {campaign.factors.length > 0 && (
            <LevelFilter
              factors={campaign.factors}
              combinations={combinations}
              levels={levels}
              onChange={(next) => onChange({ levels: someOrNone(next) })}
            />
          )}
          <MetricColumns
            value={metrics}
            onChange={(names) => onChange({ metrics: names.length === 0 ? undefined : names })}
          />
          <CopyMenu
            title={`Runs of ${campaign.name}`}
            table={() => runsTable(items, campaign.factors, metrics)}
            asked={askedFor(campaign.id, search)}
          />
        </Group>
      </Group>
      {chosen.size > 0 && (
        <ChosenRuns
          campaign={campaign.id}
          runs={[...chosen]}
          metric={metrics[0]}
          onClear={() => setChosen(new Set())}
        />
      )}
      <Loaded query={runs} height={240}>
        {() => (
          <>
            <LongTable
              label={`Runs of ${campaign.name}`}
              columns={columns}
              rows={items}
              keyOf={keyOf}
              isMarked={({ id }) => chosen.has(id)}
              onEnd={more}
              onView={setView}
            />
            {items.length === 0 && (
              <Text c="dimmed" size="sm" ta="center" py="lg">
                No run fits.
              </Text>
            )}
            {isFetchingNextPage && (
              <Group gap="xs" justify="center" py="xs" role="status">
                <Loader size={12} />
                <Text size="xs" c="dimmed">
                  Reading more runs …
                </Text>
              </Group>
            )}
          </>
        )}
      </Loaded>
    </Paper>
  );
}
