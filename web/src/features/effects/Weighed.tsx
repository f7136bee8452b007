import { Group, Paper, Text, Title } from "@mantine/core";
import { useMemo, type ReactElement } from "react";
import { shortFactor } from "#/shared/levels/factor";
import { levelText } from "#/shared/levels/text";
import { byName, type Metric } from "#/shared/metrics/metrics";
import { MetricSelect } from "#/shared/metrics/MetricSelect";
import { Chart } from "#/shared/plots/Chart";
import {
  scatterNames,
  scatterOption,
  scatterTable,
  type ScatterData,
} from "#/shared/plots/scatter";
import { Loaded } from "#/shared/ui/Loaded";
import { paretoFront } from "./pareto";
import { useMeans } from "./queries";
import type { EffectsSearch } from "./search";

interface WeighedProps {
  campaign: { id: string; name: string };
  /** At most two. */
  factors: readonly string[];
  /** The others. */
  pooled: readonly string[];
  metrics: readonly Metric[];
  search: EffectsSearch;
  onChange: (next: EffectsSearch) => void;
}

const FIRST = { x: "queueing_delay_mean_s", y: "mean_bitrate_bps" } as const;

function chosen(metrics: readonly Metric[], name: string | undefined, first: string, at: number) {
  const known = byName(metrics);
  return known.get(name ?? first) ?? known.get(first) ?? metrics[at];
}

/** Two metrics of every group, and which groups no other beats in both. */
export function Weighed(props: WeighedProps): ReactElement | null {
  const { campaign, factors, pooled, metrics, search, onChange } = props;
  const x = chosen(metrics, search.x, FIRST.x, 0);
  const y = chosen(metrics, search.y, FIRST.y, 1);
  const client = search.client ?? null;
  const names = [x?.name ?? FIRST.x, y?.name ?? FIRST.y] as const;
  const left = useMeans(campaign.id, names[0], factors, client);
  const up = useMeans(campaign.id, names[1], factors, client);
  const data = useMemo((): ScatterData | null => {
    if (left.data === undefined || up.data === undefined || !x || !y) return null;
    const nameOf = (levels: Readonly<Record<string, unknown>>): string =>
      Object.values(levels).map(levelText).join(" · ") || "all runs";
    const above = new Map(up.data.groups.map((group) => [nameOf(group.levels), group]));
    const points = left.data.groups.flatMap((group) => {
      const other = above.get(nameOf(group.levels));
      if (group.mean === null || other?.mean == null) return [];
      return [
        {
          name: nameOf(group.levels),
          x: group.mean,
          y: other.mean,
          xRange: [group.ci_low, group.ci_high] as const,
          yRange: [other.ci_low, other.ci_high] as const,
        },
      ];
    });
    const front = paretoFront(points, { x: x.better, y: y.better });
    return { x, y, points, front: front.map(({ name }) => name) };
  }, [left.data, up.data, x, y]);
  const option = useMemo(() => (data === null ? null : scatterOption.bind(null, data)), [data]);
  return (
    <Paper p="md">
      <Title order={2} mb="xs">
        Two metrics weighed
      </Title>
      <Group gap="sm" mb="sm">
        <MetricSelect
          label="Across"
          metrics={metrics}
          value={x?.name ?? ""}
          onChange={(name) => onChange({ x: name })}
        />
        <MetricSelect
          label="Up"
          metrics={metrics}
          value={y?.name ?? ""}
          onChange={(name) => onChange({ y: name })}
        />
      </Group>
      <Loaded query={left.data === undefined ? left : up} height={320}>
        {() =>
          data === null || option === null || data.points.length === 0 ? (
            <Text size="sm" c="dimmed">
              No run has both.
            </Text>
          ) : (
            <>
              <Chart
                title={`${data.y.title} and ${data.x.title} – ${campaign.name}`}
                option={option}
                names={scatterNames}
                table={() => scatterTable(data)}
                asked={{
                  path: `/api/v1/campaigns/${campaign.id}/aggregate`,
                  call: "aggregate_metric",
                  of: [campaign.id],
                  query: { rows: factors[0], columns: factors[1], client },
                  each: { name: "metric", values: names },
                }}
                height={340}
              />
              <Text size="xs" c="dimmed">
                Means with their 95 % intervals. The line joins the groups that no other is at least
                as good as in both and better than in one: Pareto&apos;s front.
                {pooled.length > 0 && ` Pooled over ${pooled.map(shortFactor).join(", ")}.`}
              </Text>
            </>
          )
        }
      </Loaded>
    </Paper>
  );
}
