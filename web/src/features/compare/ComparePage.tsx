import { Group, Paper, Stack, Text } from "@mantine/core";
import { IconArrowsExchange, IconGitCompare } from "@tabler/icons-react";
import { ActionIcon, Tooltip } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo, type ReactElement } from "react";
import { ProblemAlert } from "#/shared/errors/ProblemAlert";
import { byName, useChoices, type Metric } from "#/shared/metrics/metrics";
import { MetricSelect } from "#/shared/metrics/MetricSelect";
import { RankSelect } from "#/shared/metrics/RankSelect";
import { barsNames, barsOption, barsTable } from "#/shared/plots/bars";
import { Chart } from "#/shared/plots/Chart";
import { Empty } from "#/shared/ui/Empty";
import { Loaded } from "#/shared/ui/Loaded";
import { Page } from "#/shared/ui/Page";
import { CampaignDifferences } from "./CampaignDifferences";
import { CampaignSelect } from "./CampaignSelect";
import { CompareTabs } from "./CompareTabs";
import { barsOf, verdict } from "./pairs";
import { PairsTable } from "./PairsTable";
import { useCampaign, useComparison, type Campaign, type Comparison } from "./queries";
import type { CompareSearch } from "./search";

const route = getRouteApi("/inside/teams/$team/compare");
const FIRST_METRIC = "mean_bitrate_bps";
const RANKS = 10;

function Means(props: { comparison: Comparison; a: Campaign; b: Campaign }): ReactElement {
  const { comparison, a, b } = props;
  const data = useMemo(() => {
    const same = a.name === b.name;
    const names = { a: `A: ${a.name}`, b: same ? `B: ${b.name}, again` : `B: ${b.name}` };
    return barsOf(comparison, names);
  }, [comparison, a.name, b.name]);
  const option = useMemo(() => barsOption.bind(null, data), [data]);
  return (
    <Chart
      title={`${comparison.metric.title}: ${a.name} and ${b.name}`}
      option={option}
      names={barsNames(data)}
      table={() => barsTable(data)}
      asked={{
        path: "/api/v1/compare",
        call: "compare_campaigns",
        of: [],
        query: {
          a: a.id,
          b: b.id,
          metric: comparison.metric.name,
          client: comparison.client,
        },
      }}
      height={300}
    />
  );
}

function Compared(props: {
  a: Campaign;
  b: Campaign;
  metric: Metric;
  client: number | null;
}): ReactElement {
  const { a, b, metric, client } = props;
  const query = useComparison(a.id, b.id, metric.name, client);
  return (
    <Loaded query={query} height={360}>
      {(comparison) =>
        comparison.pairs.length === 0 ? (
          <Paper>
            <Empty
              icon={<IconGitCompare size={36} stroke={1.4} />}
              title="Nothing that both measured"
            >
              No runs of the two campaigns succeeded at the same levels of their common factors.
            </Empty>
          </Paper>
        ) : (
          <Stack gap="md" style={{ opacity: query.isPlaceholderData ? 0.55 : 1 }}>
            <Paper p="md">
              <Text mb="sm">{verdict(comparison)}</Text>
              <Means comparison={comparison} a={a} b={b} />
            </Paper>
            <PairsTable comparison={comparison} />
          </Stack>
        )
      }
    </Loaded>
  );
}

/** Two campaigns: what they ask differently, and what that does to a metric. */
export function ComparePage(): ReactElement {
  const { team } = route.useParams();
  const { a, b, metric: asked, client } = route.useSearch();
  const navigate = route.useNavigate();
  const left = useCampaign(a);
  const right = useCampaign(b);
  const choices = useChoices();
  const change = (next: CompareSearch): void => {
    void navigate({
      search: (before) => ({ ...before, ...next }),
      replace: true,
      resetScroll: false,
    });
  };
  const failed = [left, right].find(({ error }) => error !== null);
  const metrics = choices.data?.metrics ?? [];
  const metric = byName(metrics).get(asked ?? FIRST_METRIC);
  return (
    <Page title="Compare">
      <CompareTabs team={team} value="campaigns" />
      <Group align="flex-end" gap="sm">
        <CampaignSelect
          team={team}
          label="A"
          id={a}
          value={left.data}
          onChange={(chosen) => change({ a: chosen })}
        />
        <Tooltip label="Exchange A and B">
          <ActionIcon
            aria-label="Exchange A and B"
            mb={2}
            disabled={a === undefined && b === undefined}
            onClick={() => change({ a: b, b: a })}
          >
            <IconArrowsExchange size={16} />
          </ActionIcon>
        </Tooltip>
        <CampaignSelect
          team={team}
          label="B"
          id={b}
          value={right.data}
          onChange={(chosen) => change({ b: chosen })}
        />
        {metrics.length > 0 && (
          <MetricSelect
            metrics={metrics}
            value={asked ?? FIRST_METRIC}
            onChange={(name) => change({ metric: name })}
          />
        )}
        {metric?.scope === "client" && (
          <RankSelect
            ranks={RANKS}
            value={client ?? null}
            onChange={(rank) => change({ client: rank ?? undefined })}
          />
        )}
      </Group>
      {failed !== undefined && (
        <ProblemAlert error={failed.error} onRetry={() => void failed.refetch()} />
      )}
      {(a === undefined || b === undefined) && (
        <Paper>
          <Empty icon={<IconGitCompare size={36} stroke={1.4} />} title="Choose two campaigns">
            They are paired by the levels of the factors that both have, and by seed.
          </Empty>
        </Paper>
      )}
      {left.data !== undefined && right.data !== undefined && (
        <>
          <CampaignDifferences a={left.data} b={right.data} />
          <Loaded query={choices} height={360}>
            {() =>
              metric === undefined ? (
                <Text>There is no such metric; choose another.</Text>
              ) : (
                <Compared a={left.data} b={right.data} metric={metric} client={client ?? null} />
              )
            }
          </Loaded>
        </>
      )}
    </Page>
  );
}
