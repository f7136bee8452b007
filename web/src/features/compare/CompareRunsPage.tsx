import { Anchor, Group, Paper, Stack, Text } from "@mantine/core";
import { IconGitCompare } from "@tabler/icons-react";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState, type ReactElement } from "react";
import { levelText } from "#/shared/levels/text";
import { byName, useChoices } from "#/shared/metrics/metrics";
import { ReplicateSteps } from "#/shared/runs/ReplicateSteps";
import { runTitle } from "#/shared/runs/title";
import { StateBadge } from "#/shared/states/StateBadge";
import { Empty } from "#/shared/ui/Empty";
import { Loaded } from "#/shared/ui/Loaded";
import { Page } from "#/shared/ui/Page";
import { CampaignSelect } from "./CampaignSelect";
import { CompareTabs } from "./CompareTabs";
import { DifferingTable } from "./DifferingTable";
import { MetricsTable } from "./MetricsTable";
import { PartingPanel } from "./PartingPanel";
import { useCampaign, useRun, useRunComparison } from "./queries";
import { metricDifferences } from "./runMetrics";
import { RunSelect } from "./RunSelect";
import { SideMark } from "./SideMark";

const route = getRouteApi("/inside/teams/$team/compare/runs");

function RunCard(props: {
  side: "a" | "b";
  run: number;
  onStep: (run: number) => void;
}): ReactElement {
  const { side, run: id, onStep } = props;
  const { team } = route.useParams();
  const query = useRun(id);
  return (
    <Paper p="md" style={{ flex: "1 1 280px" }}>
      <Loaded query={query} height={40}>
        {(run) => (
          <Stack gap={2}>
            <Group gap="sm">
              <SideMark side={side} />
              <Anchor
                fw={550}
                renderRoot={(props) => (
                  <Link to="/teams/$team/runs/$run" params={{ team, run: String(id) }} {...props} />
                )}
              >
                {runTitle(run)}
              </Anchor>
              <StateBadge state={run.state} />
            </Group>
            <Group gap="sm">
              <Text size="sm" c="dimmed">
                {Object.values(run.levels).map(levelText).join(" · ")}
              </Text>
              <Text size="sm" c="dimmed">
                seed {run.seed}, replicate
              </Text>
              <ReplicateSteps run={run} onStep={onStep} />
            </Group>
          </Stack>
        )}
      </Loaded>
    </Paper>
  );
}

function Compared({ a, b }: { a: number; b: number }): ReactElement {
  const query = useRunComparison(a, b);
  const choices = useChoices();
  return (
    <Loaded query={query} height={300}>
      {({ parameters, metrics }) => {
        const found = metricDifferences(metrics, byName(choices.data?.metrics ?? []));
        return (
          <>
            <DifferingTable
              title="Parameters that differ"
              differences={parameters}
              none="Both ran the same experiment with the same seed."
            />
            <PartingPanel a={a} b={b} />
            <MetricsTable a={a} b={b} found={found} />
          </>
        );
      }}
    </Loaded>
  );
}

/** Two runs: parameters and metrics in which they differ, and where they part. */
export function CompareRunsPage(): ReactElement {
  const { team } = route.useParams();
  const { a, b } = route.useSearch();
  const navigate = route.useNavigate();
  const [chosen, setChosen] = useState<string | undefined>();
  const known = [useRun(a).data, useRun(b).data].find((run) => run !== undefined);
  const campaign = chosen ?? known?.campaign_id;
  const change = (next: { a?: number; b?: number }): void => {
    void navigate({ search: (before) => ({ ...before, ...next }), resetScroll: false });
  };
  const whose = useCampaign(campaign);
  return (
    <Page title="Compare">
      <CompareTabs team={team} value="runs" />
      <Group align="flex-end" gap="sm">
        <CampaignSelect
          team={team}
          label="Runs of"
          id={campaign}
          value={whose.data}
          onChange={setChosen}
        />
        <RunSelect label="A" campaign={campaign} value={a} onChange={(run) => change({ a: run })} />
        <RunSelect label="B" campaign={campaign} value={b} onChange={(run) => change({ b: run })} />
      </Group>
      {(a !== undefined || b !== undefined) && (
        <Group align="stretch">
          {a !== undefined && <RunCard side="a" run={a} onStep={(run) => change({ a: run })} />}
          {b !== undefined && <RunCard side="b" run={b} onStep={(run) => change({ b: run })} />}
        </Group>
      )}
      {a !== undefined && b !== undefined ? (
        <Compared a={a} b={b} />
      ) : (
        <Paper>
          <Empty icon={<IconGitCompare size={36} stroke={1.4} />} title="Choose two runs">
            Two of one seed tell most: chance is the same in both, and they part where what differs
            first matters.
          </Empty>
        </Paper>
      )}
    </Page>
  );
}
