import { Anchor, Button, Group, NumberInput, Paper, Stack, Text } from "@mantine/core";
import { IconGitCompare } from "@tabler/icons-react";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState, type ReactElement } from "react";
import { levelText } from "#/shared/levels/text";
import { byName, useChoices } from "#/shared/metrics/metrics";
import { StateBadge } from "#/shared/states/StateBadge";
import { Empty } from "#/shared/ui/Empty";
import { Loaded } from "#/shared/ui/Loaded";
import { Page } from "#/shared/ui/Page";
import { CompareTabs } from "./CompareTabs";
import { DifferingTable } from "./DifferingTable";
import { MetricsTable } from "./MetricsTable";
import { PartingPanel } from "./PartingPanel";
import { useRun, useRunComparison } from "./queries";
import { metricDifferences } from "./runMetrics";
import { SideMark } from "./SideMark";

const route = getRouteApi("/inside/teams/$team/compare/runs");

function RunCard({ side, run: id }: { side: "a" | "b"; run: number }): ReactElement {
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
                Run {run.position + 1} of {run.campaign}
              </Anchor>
              <StateBadge state={run.state} />
            </Group>
            <Text size="sm" c="dimmed">
              {[...Object.values(run.levels).map(levelText), `replicate ${run.replicate + 1}`].join(
                " · ",
              )}
            </Text>
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
            <MetricsTable found={found} />
            <PartingPanel a={a} b={b} />
          </>
        );
      }}
    </Loaded>
  );
}

/** Two runs: parameters and metrics in which they differ. */
export function CompareRunsPage(): ReactElement {
  const { team } = route.useParams();
  const { a, b } = route.useSearch();
  const navigate = route.useNavigate();
  const [typed, setTyped] = useState<{ a: number | string; b: number | string }>({
    a: a ?? "",
    b: b ?? "",
  });
  const chosen = (value: number | string): number | undefined =>
    typeof value === "number" && value >= 1 ? value : undefined;
  return (
    <Page title="Compare">
      <CompareTabs team={team} value="runs" />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void navigate({ search: { a: chosen(typed.a), b: chosen(typed.b) } });
        }}
      >
        <Group align="flex-end" gap="sm">
          {(["a", "b"] as const).map((side) => (
            <NumberInput
              key={side}
              label={`Run ${side.toUpperCase()}`}
              size="xs"
              w={140}
              min={1}
              allowDecimal={false}
              hideControls
              placeholder="its number in the address"
              value={typed[side]}
              onChange={(value) => setTyped((before) => ({ ...before, [side]: value }))}
            />
          ))}
          <Button
            type="submit"
            disabled={chosen(typed.a) === undefined || chosen(typed.b) === undefined}
          >
            Compare
          </Button>
        </Group>
      </form>
      {(a !== undefined || b !== undefined) && (
        <Group align="stretch">
          {a !== undefined && <RunCard side="a" run={a} />}
          {b !== undefined && <RunCard side="b" run={b} />}
        </Group>
      )}
      {a !== undefined && b !== undefined ? (
        <Compared a={a} b={b} />
      ) : (
        <Paper>
          <Empty icon={<IconGitCompare size={36} stroke={1.4} />} title="Choose two runs">
            Each run has a number, in the address of its page and in lists of runs.
          </Empty>
        </Paper>
      )}
    </Page>
  );
}
