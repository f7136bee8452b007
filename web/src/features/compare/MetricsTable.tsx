import { Group, Paper, Text, Title } from "@mantine/core";
import type { ReactElement } from "react";
import { CopyMenu } from "#/shared/copy/CopyMenu";
import { isBetter, share, signed } from "#/shared/metrics/difference";
import { MetricName } from "#/shared/metrics/MetricName";
import { Way } from "#/shared/metrics/Way";
import type { Table } from "#/shared/plots/csv";
import { DataTable, type Column } from "#/shared/ui/DataTable";
import { quantity } from "#/shared/units/format";
import type { MetricDifference } from "./runMetrics";
import { SideMark } from "./SideMark";

function moved({ a, b }: MetricDifference): number | null {
  return a === null || b === null ? null : b - a;
}

const COLUMNS: readonly Column<MetricDifference>[] = [
  {
    name: "Metric",
    cell: ({ title, about, rank }) => (
      <>
        {about === undefined ? title : <MetricName metric={about} />}
        {rank !== null && (
          <Text span size="xs" c="dimmed" ml={6}>
            rank {rank}
          </Text>
        )}
      </>
    ),
  },
  ...(["a", "b"] as const).map((side) => ({
    name: side,
    head: <SideMark side={side} />,
    align: "right" as const,
    cell: (row: MetricDifference) => quantity(row[side], row.metric.unit),
  })),
  {
    name: "B − A",
    align: "right",
    cell: (row) => (
      <Text size="sm" fw={550}>
        {signed(moved(row), row.metric.unit)}
      </Text>
    ),
  },
  {
    name: "Relative to A",
    align: "right",
    cell: (row) => {
      const by = moved(row);
      return (
        <Text size="sm" c="dimmed">
          {by === null || row.a === null ? "" : share(by / row.a)}
        </Text>
      );
    },
  },
  {
    name: "B is",
    cell: (row) => {
      const by = moved(row);
      return <Way better={by === null ? null : isBetter(by, row.metric)} />;
    },
  },
];

function tableOf(found: readonly MetricDifference[]): Table {
  return {
    columns: ["metric", "rank", "unit", "A", "B"],
    rows: found.map(({ title, rank, metric, a, b }) => [title, rank, metric.unit, a, b]),
  };
}

/** Metrics in which two runs differ. */
export function MetricsTable(props: {
  a: number;
  b: number;
  found: readonly MetricDifference[];
}): ReactElement {
  const { a, b, found } = props;
  return (
    <Paper p="md">
      <Group justify="space-between" wrap="nowrap">
        <Title order={2}>Metrics that differ</Title>
        {found.length > 0 && (
          <CopyMenu
            title="Metrics that differ"
            table={() => tableOf(found)}
            asked={{
              path: "/api/v1/compare/runs",
              call: "compare_runs",
              of: [],
              query: { a, b },
            }}
          />
        )}
      </Group>
      <Text size="xs" c="dimmed" mb="xs">
        Two single runs: whether a difference is more than chance, campaigns with replicates can
        tell.
      </Text>
      {found.length === 0 ? (
        <Text size="sm" c="dimmed">
          None does, or one of the runs has none.
        </Text>
      ) : (
        <DataTable columns={COLUMNS} rows={found} keyOf={({ path }) => path} minWidth={560} />
      )}
    </Paper>
  );
}
