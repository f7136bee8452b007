import { Anchor, Group, Paper, Progress, Skeleton, Text } from "@mantine/core";
import { IconChevronLeft, IconStack2 } from "@tabler/icons-react";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { Shown } from "#/shared/cards/subject";
import { ProblemAlert } from "#/shared/errors/ProblemAlert";
import { shortFactor } from "#/shared/levels/factor";
import { byName, useChoices, type Metric } from "#/shared/metrics/metrics";
import { MetricSelect } from "#/shared/metrics/MetricSelect";
import { ClientChips } from "#/shared/runs/ClientChips";
import { clientsOf } from "#/shared/runs/clients";
import { Empty } from "#/shared/ui/Empty";
import { Fact } from "#/shared/ui/Fact";
import { Loaded } from "#/shared/ui/Loaded";
import { Page } from "#/shared/ui/Page";
import { count, quantity } from "#/shared/units/format";
import { ChosenRun } from "./ChosenRun";
import { meanOf, spread, typicalOf } from "./chosen";
import { Overlay } from "./Overlay";
import { useCampaign, useCurves, useGroup, type Run } from "./queries";
import type { OverlaySearch } from "./search";

const route = getRouteApi("/inside/teams/$team/campaigns/$campaign/overlay");
const FIRST_METRIC = "mean_bitrate_bps";

interface CurvesProps {
  runs: readonly Run[];
  metric: Metric;
  search: OverlaySearch;
  onChange: (next: OverlaySearch) => void;
}

function Curves({ runs, metric, search, onChange }: CurvesProps): ReactElement {
  const valued = runs.map((run) => ({ ...run, value: run.metrics[metric.name] ?? null }));
  const mean = meanOf(valued);
  const typical = typicalOf(valued);
  const shown = spread(valued);
  const ids = shown.map(({ id }) => id);
  const { drawn, durationS, left, error } = useCurves(ids);
  const clients = clientsOf(drawn.flatMap(({ curves }) => curves));
  const client = search.client ?? 1;
  const chosen = shown.find(({ id }) => id === search.run);
  const title =
    shown.length < runs.length
      ? `${shown.length} of ${count(runs.length)} runs, evenly by ${metric.title}`
      : `${count(runs.length)} runs over each other`;
  return (
    <>
      <Group style={{ gap: "8px 32px" }}>
        {Object.entries(search.levels ?? {}).map(([factor, level]) => (
          <Fact key={factor} name={shortFactor(factor)}>
            {level}
          </Fact>
        ))}
        <Fact name="Runs">{count(runs.length)}</Fact>
        <Fact name="Mean">{quantity(mean, metric.unit)}</Fact>
        <Fact name="Nearest to it">{typical === undefined ? "–" : `run ${typical.id}`}</Fact>
      </Group>
      <Paper p="md">
        {clients.length > 1 && (
          <ClientChips
            clients={clients}
            value={client}
            onChange={(next) => onChange({ client: next })}
          />
        )}
        {error !== null && <ProblemAlert error={error} />}
        {left > 0 ? (
          <div role="status" aria-busy>
            <Text size="xs" c="dimmed" mb={4}>
              Reading the curves of {count(shown.length)} runs: {count(left)} to come
            </Text>
            <Progress
              mb="md"
              size="sm"
              value={(100 * (shown.length - left)) / shown.length}
              aria-label="Curves read"
            />
            <Skeleton height={620} animate={false} />
          </div>
        ) : (
          <Shown value={{ runs: ids }}>
            <Overlay
              title={title}
              runs={drawn}
              typical={typical?.id}
              chosen={search.run}
              client={client}
              durationS={durationS}
              search={search}
              onChange={onChange}
            />
          </Shown>
        )}
      </Paper>
      {chosen === undefined ? (
        <Text size="sm" c="dimmed">
          Click a curve that stands out to see which run it is, and to lay another beside it.
        </Text>
      ) : (
        <ChosenRun run={chosen} metric={metric} mean={mean} typical={typical?.id} />
      )}
    </>
  );
}

/** A group's runs over each other: what they share, how they vary, and which stand out. */
export function OverlayPage(): ReactElement {
  const { team, campaign: id } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { metric: name = FIRST_METRIC, rank = null, levels = {}, runs = [] } = search;
  const campaign = useCampaign(id);
  const choices = useChoices();
  const group = useGroup(id, { levels, runs, metric: name, rank });
  const change = (next: OverlaySearch): void => {
    void navigate({
      search: (before) => ({ ...before, ...next }),
      replace: true,
      resetScroll: false,
    });
  };
  const metrics = choices.data?.metrics ?? [];
  const metric = byName(metrics).get(name);
  return (
    <Page title={campaign.data === undefined ? "Runs" : `Runs of ${campaign.data.name}`}>
      <Group justify="space-between" align="flex-end">
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link
              to="/teams/$team/campaigns/$campaign/results"
              params={{ team, campaign: id }}
              search={{ metric: search.metric, client: search.rank }}
              {...props}
            />
          )}
        >
          <Group gap={2} component="span">
            <IconChevronLeft size={14} /> Results
          </Group>
        </Anchor>
        <MetricSelect
          metrics={metrics}
          value={name}
          onChange={(next) => change({ metric: next })}
        />
      </Group>
      <Loaded query={choices} height={620}>
        {() => (
          <Loaded query={group} height={620}>
            {({ items }) =>
              metric === undefined || items.length === 0 ? (
                <Paper>
                  <Empty
                    icon={<IconStack2 size={36} stroke={1.4} />}
                    title={metric === undefined ? "There is no such metric" : "No run succeeded"}
                  >
                    {metric === undefined
                      ? "Choose another above."
                      : "Of the runs at these levels none has curves yet."}
                  </Empty>
                </Paper>
              ) : (
                <Curves runs={items} metric={metric} search={search} onChange={change} />
              )
            }
          </Loaded>
        )}
      </Loaded>
    </Page>
  );
}
