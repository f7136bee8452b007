import { Box, Button, Paper, Text } from "@mantine/core";
import { useState, type ReactElement, type ReactNode } from "react";
import { MetricName } from "#/shared/metrics/MetricName";
import { byName, useChoices, type Metric } from "#/shared/metrics/metrics";
import { day } from "#/shared/time/format";
import { Time } from "#/shared/time/Time";
import { DataTable, type Column } from "#/shared/ui/DataTable";
import { quantity } from "#/shared/units/format";
import { AlarmActions, type Alarm } from "./AlarmActions";
import { levelWords } from "./board";

const FIRST = 5;

function values({ before, difference }: Alarm, unit: string): string {
  if (before === null || difference === null) return "–";
  return `${quantity(before, unit)} → ${quantity(before + difference, unit)}`;
}

/** Who looks after it. */
function care({ acknowledged_by: by, muted_until: until }: Alarm): string {
  return `${by ?? "nobody yet"}${until === null ? "" : `, muted until ${day(until)}`}`;
}

function Care({ children }: { children: ReactNode }): ReactElement {
  return (
    <Text size="xs" c="dimmed">
      {children}
    </Text>
  );
}

/** A metric of a newer server than the catalogue has its name for a title. */
function Named({ metric, name }: { metric: Metric | undefined; name: string }): ReactElement {
  return metric === undefined ? <>{name}</> : <MetricName metric={metric} />;
}

function columnsOf(metrics: ReadonlyMap<string, Metric>): Column<Alarm>[] {
  return [
    {
      name: "Worse",
      cell: (alarm) => (
        <>
          <Named metric={metrics.get(alarm.metric)} name={alarm.metric} />
          <Text size="xs" c="dimmed">
            {levelWords(alarm.levels)}
          </Text>
        </>
      ),
    },
    {
      name: "By how much",
      from: "sm",
      folded: true,
      cell: (alarm) => values(alarm, metrics.get(alarm.metric)?.unit ?? ""),
    },
    { name: "Since", w: 110, cell: ({ opened_at: at }) => <Time at={at} /> },
    {
      name: "Acknowledged by",
      w: 170,
      from: "md",
      folded: (alarm) => <Care>acknowledged by {care(alarm)}</Care>,
      cell: (alarm) => <Care>{care(alarm)}</Care>,
    },
    {
      name: "",
      w: 390,
      from: "md",
      folded: true,
      cell: (alarm) => (
        <Box maw={390}>
          <AlarmActions alarm={alarm} />
        </Box>
      ),
    },
  ];
}

/** What is worse than the baseline, and what people make of it. */
export function AlarmsTable({ alarms }: { alarms: readonly Alarm[] }): ReactElement {
  const metrics = byName(useChoices().data?.metrics ?? []);
  const [all, setAll] = useState(false);
  const rows = all ? alarms : alarms.slice(0, FIRST);
  return (
    <Paper style={{ overflow: "hidden" }}>
      <DataTable columns={columnsOf(metrics)} rows={rows} keyOf={({ id }) => id} />
      {rows.length < alarms.length && (
        <Button variant="subtle" size="sm" fullWidth onClick={() => setAll(true)}>
          show all {alarms.length} alarms
        </Button>
      )}
    </Paper>
  );
}
