import { Anchor, Group, Paper, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { cronWords } from "#/shared/schedule/words";
import { Time } from "#/shared/time/Time";
import { DataTable, type Column } from "#/shared/ui/DataTable";
import { EnabledSwitch } from "./EnabledSwitch";
import { NightBadge } from "./NightBadge";
import { OutcomeBadge } from "./OutcomeBadge";
import type { Schedule, Tick } from "./queries";

function columnsOf(team: string): Column<Schedule>[] {
  return [
    {
      name: "Name",
      cell: ({ id, name }) => (
        <Anchor
          fw={550}
          renderRoot={(props) => (
            <Link
              to="/teams/$team/schedules/$schedule"
              params={{ team, schedule: id }}
              {...props}
            />
          )}
        >
          {name}
        </Anchor>
      ),
    },
    {
      name: "When",
      from: "sm",
      folded: true,
      cell: ({ cron, timezone }) => (
        <>
          {cronWords(cron)}
          <Text size="xs" c="dimmed">
            {timezone}
          </Text>
        </>
      ),
    },
    { name: "Next", w: 130, cell: ({ next_at: at }) => <Time at={at} /> },
    { name: "Last", w: 220, from: "sm", folded: true, cell: ({ last }) => <Last tick={last} /> },
    { name: "On", w: 64, cell: (schedule) => <EnabledSwitch schedule={schedule} /> },
  ];
}

function Last({ tick }: { tick: Tick | null }): ReactElement {
  if (tick === null)
    return (
      <Text c="dimmed" size="sm">
        not yet
      </Text>
    );
  return (
    <Group gap={6}>
      {tick.night ? <NightBadge night={tick.night} /> : <OutcomeBadge tick={tick} />}
      <Text size="sm" c="dimmed">
        <Time at={tick.due_at} />
      </Text>
    </Group>
  );
}

export function SchedulesTable({
  team,
  schedules,
}: {
  team: string;
  schedules: readonly Schedule[];
}): ReactElement {
  return (
    <Paper style={{ overflow: "hidden" }}>
      <DataTable columns={columnsOf(team)} rows={schedules} keyOf={({ id }) => id} />
    </Paper>
  );
}
