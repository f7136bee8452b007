import { Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactElement } from "react";
import { CopyMenu } from "#/shared/copy/CopyMenu";
import { MetricName } from "#/shared/metrics/MetricName";
import { byName, useChoices, type Metric } from "#/shared/metrics/metrics";
import type { Table } from "#/shared/plots/csv";
import { runTitle } from "#/shared/runs/title";
import { DataTable, type Column } from "#/shared/ui/DataTable";
import { Loaded } from "#/shared/ui/Loaded";
import { quantity } from "#/shared/units/format";
import { readExperiment } from "./experiment";
import { isFinished, useMetricsOf, type Run } from "./queries";

/** Of the run, or of one client. */
interface Values {
  name: string;
  beside: string;
  values: Readonly<Record<string, number | null>>;
}

function columnsOf(found: readonly Values[]): Column<Metric>[] {
  return [
    {
      name: "Metric",
      cell: (metric) => (
        <span>
          <MetricName metric={metric} />
          {metric.better !== null && (
            <Text span size="xs" c="dimmed" ml={6}>
              {metric.better} is better
            </Text>
          )}
        </span>
      ),
    },
    ...found.map(({ name, beside, values }) => ({
      name,
      head: (
        <>
          {name}
          <Text size="xs" c="dimmed">
            {beside}
          </Text>
        </>
      ),
      align: "right" as const,
      cell: (metric: Metric) => (
        <Text size="sm" fw={550}>
          {quantity(values[metric.name], metric.unit, 4)}
        </Text>
      ),
    })),
  ];
}

function tableOf(metrics: readonly Metric[], found: readonly Values[]): Table {
  return {
    columns: ["metric", "unit", ...found.map(({ name }) => name)],
    rows: metrics.map(({ name, unit }) => [
      name,
      unit,
      ...found.map(({ values }) => values[name] ?? null),
    ]),
  };
}

function MetricsTable(props: {
  run: Run;
  title: string;
  metrics: readonly Metric[];
  found: readonly Values[];
}): ReactElement {
  const { run, title, metrics, found } = props;
  return (
    <Paper p="md">
      <Group justify="space-between" mb="xs" wrap="nowrap">
        <Title order={2}>{title}</Title>
        <CopyMenu
          title={`${title} – ${runTitle(run)}`}
          table={() => tableOf(metrics, found)}
          asked={{
            path: `/api/v1/runs/${run.id}/metrics`,
            call: "show_run_metrics",
            of: [run.id],
            query: {},
          }}
        />
      </Group>
      <DataTable
        columns={columnsOf(found)}
        rows={metrics}
        keyOf={({ name }) => name}
        minWidth={110 + 88 * found.length}
        verticalSpacing={5}
      />
    </Paper>
  );
}

/** A metric of a newer server than the catalogue that was fetched has its name for a title. */
function known(names: readonly string[], metrics: readonly Metric[], scope: Metric["scope"]) {
  const catalogue = byName(metrics);
  const listed = metrics.filter((each) => each.scope === scope && names.includes(each.name));
  const other = names.filter((name) => !catalogue.has(name));
  return [
    ...listed,
    ...other.map((name) => ({
      ...{ name, title: name, unit: "", scope },
      ...{ better: null, formula: "", source: "" },
    })),
  ];
}

function Measured({ run }: { run: Run }): ReactElement {
  const choices = useChoices();
  const measured = useMetricsOf(run.id);
  const { clients } = readExperiment(run.experiment);
  return (
    <Loaded query={choices} height={320}>
      {({ metrics }) => (
        <Loaded query={measured} height={320}>
          {(found) => (
            <Stack gap="md">
              <MetricsTable
                run={run}
                title="Clients"
                metrics={known(Object.keys(found.clients[0]?.values ?? {}), metrics, "client")}
                found={found.clients.map(({ client, rank, values }) => ({
                  name: `client ${client}`,
                  beside: `${clients[client - 1]?.player ?? ""}, rank ${rank}`,
                  values,
                }))}
              />
              <MetricsTable
                run={run}
                title="The run"
                metrics={known(Object.keys(found.run), metrics, "run")}
                found={[{ name: "Value", beside: "", values: found.run }]}
              />
            </Stack>
          )}
        </Loaded>
      )}
    </Loaded>
  );
}

/** All metrics of a run and of each of its clients. */
export function MetricsTab({ run }: { run: Run }): ReactElement {
  if (!isFinished(run)) return <Text c="dimmed">This run is {run.state}: it has no metrics.</Text>;
  return <Measured run={run} />;
}
