import { Alert, Anchor, Button, Group, Loader, Paper, Stack, Tabs, Text } from "@mantine/core";
import { IconChevronLeft, IconGitCompare } from "@tabler/icons-react";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { shortFactor } from "#/shared/levels/factor";
import { levelText } from "#/shared/levels/text";
import { ReplicateSteps } from "#/shared/runs/ReplicateSteps";
import { runTitle } from "#/shared/runs/title";
import { StateBadge } from "#/shared/states/StateBadge";
import { Fact } from "#/shared/ui/Fact";
import { Loaded } from "#/shared/ui/Loaded";
import { Page } from "#/shared/ui/Page";
import { Time } from "#/shared/time/Time";
import { duration } from "#/shared/units/format";
import { ChecksTab } from "./ChecksTab";
import { Failure } from "./Failure";
import { FilesTab } from "./FilesTab";
import { LogPanel } from "./LogPanel";
import { MetricsTab } from "./MetricsTab";
import { ProvenanceTab } from "./ProvenanceTab";
import { hasEnded, isFinished, isRunning, useRun, type Run } from "./queries";
import { TABS, type RunSearch, type Tab } from "./search";
import { Timeline } from "./Timeline";

const route = getRouteApi("/inside/teams/$team/runs/$run");

const TAB_NAMES: Record<Tab, string> = {
  plots: "Plots",
  metrics: "Metrics",
  checks: "Checks and commands",
  provenance: "Provenance",
  files: "Files and replay",
};

function soFar(run: Run): string {
  if (!isRunning(run))
    return "Its curves and metrics come when it has ended; this page follows it.";
  return run.experiment.clock === "virtual"
    ? "Players, TCP and the queue are drawn as far as they are recorded. Metrics come when it has ended; this page follows it."
    : "Its players are drawn as far as they have come. TCP, the queue and metrics come when it has ended; this page follows it.";
}

function Outcome({ run }: { run: Run }): ReactElement | null {
  if (!hasEnded(run))
    return (
      <Alert variant="default" icon={<Loader size={16} />} title={`This run is ${run.state}`}>
        <Text size="sm">{soFar(run)}</Text>
      </Alert>
    );
  return run.reason === "" ? null : <Failure run={run} />;
}

function Plots(props: {
  run: Run;
  search: RunSearch;
  onChange: (next: RunSearch) => void;
}): ReactElement {
  const { run } = props;
  if (isFinished(run) || isRunning(run))
    return (
      <Paper p="md">
        <Timeline {...props} />
      </Paper>
    );
  if (run.state === "failed")
    return (
      <Stack gap="md">
        <Paper p="md">
          <Timeline {...props} />
        </Paper>
        <LogPanel run={run} />
      </Stack>
    );
  return <Text c="dimmed">There is nothing to draw of a run that is {run.state}.</Text>;
}

/** A run: what happened in it over time, its metrics, and whether it was what was asked. */
export function RunPage(): ReactElement {
  const { team, run: number } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useRun(Number(number));
  const run = query.data;
  if (run === undefined)
    return (
      <Page title="Run">
        <Loaded query={query} height={480}>
          {() => null}
        </Loaded>
      </Page>
    );
  const change = (next: RunSearch): void => {
    void navigate({
      search: (before) => ({ ...before, ...next }),
      replace: true,
      resetScroll: false,
    });
  };
  return (
    <Page
      title={runTitle(run)}
      beside={<StateBadge state={run.state} />}
      actions={
        <Button
          variant="default"
          leftSection={<IconGitCompare size={15} />}
          renderRoot={(props) => (
            <Link
              to="/teams/$team/compare/runs"
              params={{ team }}
              search={{ a: run.id }}
              {...props}
            />
          )}
        >
          Compare
        </Button>
      }
    >
      <Stack gap="md">
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link
              to="/teams/$team/campaigns/$campaign"
              params={{ team, campaign: run.campaign_id }}
              {...props}
            />
          )}
        >
          <Group gap={2} component="span">
            <IconChevronLeft size={14} /> All runs of {run.campaign}
          </Group>
        </Anchor>
        <Outcome run={run} />
        <Group style={{ gap: "8px 32px" }}>
          {Object.entries(run.levels).map(([factor, level]) => (
            <Fact key={factor} name={shortFactor(factor)}>
              {levelText(level)}
            </Fact>
          ))}
          <Fact name="Replicate">
            <ReplicateSteps
              run={run}
              onStep={(next) =>
                void navigate({
                  to: "/teams/$team/runs/$run",
                  params: { team, run: String(next) },
                  search: (before) => before,
                  resetScroll: false,
                })
              }
            />
          </Fact>
          <Fact name="Seed">{run.seed}</Fact>
          <Fact name="Film">{duration(run.film_s)}</Fact>
          <Fact name="Took">{duration(run.wall_s)}</Fact>
          <Fact name="Ended">
            <Time at={run.ended_at} />
          </Fact>
        </Group>
        <Tabs
          value={search.tab ?? "plots"}
          keepMounted={false}
          onChange={(tab) => change({ tab: TABS.find((each) => each === tab && each !== "plots") })}
        >
          <Tabs.List mb="md">
            {TABS.map((tab) => (
              <Tabs.Tab key={tab} value={tab}>
                {TAB_NAMES[tab]}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <Tabs.Panel value="plots">
            <Plots run={run} search={search} onChange={change} />
          </Tabs.Panel>
          <Tabs.Panel value="metrics">
            <MetricsTab run={run} />
          </Tabs.Panel>
          <Tabs.Panel value="checks">
            <ChecksTab run={run} />
          </Tabs.Panel>
          <Tabs.Panel value="provenance">
            <ProvenanceTab run={run} />
          </Tabs.Panel>
          <Tabs.Panel value="files">
            <FilesTab run={run} />
          </Tabs.Panel>
        </Tabs>
      </Stack>
    </Page>
  );
}
