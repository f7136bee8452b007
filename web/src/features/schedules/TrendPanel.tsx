import { Paper, Text } from "@mantine/core";
import { useRouter } from "@tanstack/react-router";
import { useCallback, type ReactElement } from "react";
import { api } from "#/api/client";
import { Shown, type Subject } from "#/shared/cards/subject";
import { byName, useChoices } from "#/shared/metrics/metrics";
import { Chart } from "#/shared/plots/Chart";
import type { Scheme } from "#/shared/theme/palette";
import { Loaded } from "#/shared/ui/Loaded";
import { levelWords, type Board } from "./board";
import { NightRuns } from "./NightRuns";
import { trendOption, trendTable, type Trend } from "./trend";
import { TrendChanges } from "./TrendChanges";

const NAMES = ["mean"];

function Plot({ trend, title }: { trend: Trend; title: string }): ReactElement {
  const option = useCallback(
    (scheme: Scheme, width: number) => trendOption(trend, scheme, width),
    [trend],
  );
  return (
    <Chart
      title={title}
      option={option}
      names={NAMES}
      table={() => trendTable(trend)}
      asked={{ path: `/api/v1/trends/${trend.id}`, call: "show_trend", of: [trend.id], query: {} }}
      height={260}
    />
  );
}

/** What a card of a trend names: its nights as they are drawn, and the page that draws them. */
function useShown(team: string, trend: Trend | undefined): Partial<Subject> | null {
  const { buildLocation } = useRouter();
  if (trend === undefined) return null;
  const { href } = buildLocation({
    to: "/teams/$team/schedules/$schedule",
    params: { team, schedule: trend.schedule },
    search: { trend: trend.id },
  });
  return {
    trend: trend.id,
    campaigns: trend.points.map(({ campaign }) => campaign),
    view: href,
  };
}

/** The nights so far of one metric of one combination, and the way to its runs. */
export function TrendPanel({
  team,
  board,
  trend,
}: {
  team: string;
  board: Board;
  trend: number;
}): ReactElement {
  const query = api.useQuery("get", "/api/v1/trends/{trend}", { params: { path: { trend } } });
  const metrics = byName(useChoices().data?.metrics ?? []);
  const shown = useShown(team, query.data);
  return (
    <Paper p="md">
      <Loaded query={query} height={300}>
        {(found) => (
          <>
            <Shown value={shown}>
              <Plot
                trend={found}
                title={`${metrics.get(found.metric)?.title ?? found.metric} at ${levelWords(found.levels)}`}
              />
            </Shown>
            <Text size="xs" c="dimmed">
              Each night&apos;s mean over its replicates, with the 95 % interval. A dashed line
              stands where a change began that goes on: red worse, green better, blue higher or
              lower, grey by a new lab kernel or Weir.
            </Text>
            <TrendChanges team={team} trend={found} />
            <NightRuns team={team} board={board} trend={trend} metric={found.metric} />
          </>
        )}
      </Loaded>
    </Paper>
  );
}
