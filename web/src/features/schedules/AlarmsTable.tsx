import { Paper, Text } from "@mantine/core";
import type { ReactElement } from "react";
import { MetricName } from "#/shared/metrics/MetricName";
import { byName, useChoices, type Metric } from "#/shared/metrics/metrics";
import { day } from "#/shared/time/format";
import { Time } from "#/shared/time/Time";
import { DataTable, type Column } from "#/shared/ui/DataTable";
import { quantity } from "#/shared/units/format";
import { AlarmActions, type Alarm } from "./AlarmActions";
import { levelWords } from "./board";

function values({ before, difference }: Alarm, unit: string): string {
  if (before === null || difference === null) return "–";
  return `${quantity(before, unit)} → ${quantity(before + difference, unit)}`;
}

/** A metric of a newer server than the catalogue has its name for a title. */
function Named({ metric, name }: { metric: Metric | undefined; name: string }): ReactElement {
  return metric === undefined ? <>{name}</> : <MetricName metric={metric} />;
}

function columnsOf(metrics: ReadonlyMap<string, Metric>): Column<Alarm>[] {
  return [
    {
      name: "Worse",
      cell: ({ metric, levels }) => (
        <>
          <Named metric={metrics.get(metric)} name={metric} />
          <Text size="xs" c="dimmed">
            {levelWords(levels)}
          </Text>
        </>
      ),
    },
    {
      name: "By how much",
      from: "sm",
      cell: (alarm) => values(alarm, metrics.get(alarm.metric)?.unit ?? ""),
    },
    { name: "Since", w: 110, cell: ({ opened_at: at }) => <Time at={at} /> },
    {
      name: "Who",
      w: 170,
      from: "md",
      cell: ({ acknowledged_by: by, muted_until: until }) => (
        <Text size="xs" c="dimmed">
          {by ?? "nobody yet"}
          {until !== null && `, muted until ${day(until)}`}
        </Text>
      ),
    },
    { name: "", w: 320, from: "md", cell: (alarm) => <AlarmActions alarm={alarm} /> },
  ];
}

/** What is worse than the baseline, and what people make of it. */
export function AlarmsTable({ alarms }: { alarms: readonly Alarm[] }): ReactElement {
  const metrics = byName(useChoices().data?.metrics ?? []);
  return (
    <Paper style={{ overflow: "hidden" }}>
      <DataTable columns={columnsOf(metrics)} rows={alarms} keyOf={({ id }) => id} />
    </Paper>
  );
}
