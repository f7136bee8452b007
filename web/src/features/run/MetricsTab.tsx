import { Paper, Stack, Table, Text, Title } from "@mantine/core";
import type { ReactElement } from "react";
import { byName, useChoices, type Metric } from "#/shared/metrics/metrics";
import { Loaded } from "#/shared/ui/Loaded";
import { quantity } from "#/shared/units/format";
import { readExperiment } from "./experiment";
import { isFinished, useMetricsOf, type Run } from "./queries";

interface Column {
  name: string;
  beside: string;
  values: Readonly<Record<string, number | null>>;
}

function MetricsTable(props: {
  title: string;
  metrics: readonly Metric[];
  columns: readonly Column[];
}): ReactElement {
  const { title, metrics, columns } = props;
  return (
    <Paper p="md">
      <Title order={2} mb="xs">
        {title}
      </Title>
      <Table.ScrollContainer minWidth={240 + 130 * columns.length}>
        <Table highlightOnHover verticalSpacing={5}>
          {columns.length > 1 && (
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Metric</Table.Th>
                {columns.map(({ name, beside }) => (
                  <Table.Th key={name} ta="right">
                    {name}
                    <Text size="xs" c="dimmed">
                      {beside}
                    </Text>
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
          )}
          <Table.Tbody>
            {metrics.map((metric) => (
              <Table.Tr key={metric.name}>
                <Table.Td title={metric.name}>
                  {metric.title}
                  {metric.better !== null && (
                    <Text span size="xs" c="dimmed" ml={6}>
                      {metric.better} is better
                    </Text>
                  )}
                </Table.Td>
                {columns.map(({ name, values }) => (
                  <Table.Td key={name} ta="right" fw={550}>
                    {quantity(values[metric.name], metric.unit, 4)}
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
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
    ...other.map((name) => ({ name, title: name, unit: "", scope, better: null })),
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
                title="Clients"
                metrics={known(Object.keys(found.clients[0]?.values ?? {}), metrics, "client")}
                columns={found.clients.map(({ client, rank, values }) => ({
                  name: `client ${client}`,
                  beside: `${clients[client - 1]?.player ?? ""}, rank ${rank}`,
                  values,
                }))}
              />
              <MetricsTable
                title="The run"
                metrics={known(Object.keys(found.run), metrics, "run")}
                columns={[{ name: "run", beside: "", values: found.run }]}
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
