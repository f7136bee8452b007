import { Anchor, Group, Paper } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useCallback, type ReactElement } from "react";
import { api } from "#/api/client";
import { byName, useChoices } from "#/shared/metrics/metrics";
import { Chart } from "#/shared/plots/Chart";
import type { Scheme } from "#/shared/theme/palette";
import { Loaded } from "#/shared/ui/Loaded";
import { levelWords, type Board } from "./board";
import { trendOption, trendTable, type Trend } from "./trend";

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
      height={260}
    />
  );
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
  const [a, b] = [board.night?.baseline ?? null, board.campaign];
  return (
    <Paper p="md">
      <Loaded query={query} height={300}>
        {(found) => (
          <>
            <Plot
              trend={found}
              title={`${metrics.get(found.metric)?.title ?? found.metric} at ${levelWords(found.levels)}`}
            />
            {a !== null && b !== null && (
              <Group mt="xs" gap="lg">
                <Anchor
                  size="sm"
                  renderRoot={(props) => (
                    <Link
                      to="/teams/$team/compare"
                      params={{ team }}
                      search={{ a, b, metric: found.metric }}
                      {...props}
                    />
                  )}
                >
                  tonight beside the baseline, run by run
                </Anchor>
              </Group>
            )}
          </>
        )}
      </Loaded>
    </Paper>
  );
}
