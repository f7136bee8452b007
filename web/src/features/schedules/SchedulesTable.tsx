import { Anchor, Group, Paper, Table, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { cronWords } from "#/shared/schedule/words";
import { Time } from "#/shared/time/Time";
import { EnabledSwitch } from "./EnabledSwitch";
import { OutcomeBadge } from "./OutcomeBadge";
import type { Schedule } from "./queries";

export function SchedulesTable({
  team,
  schedules,
}: {
  team: string;
  schedules: readonly Schedule[];
}): ReactElement {
  return (
    <Paper style={{ overflow: "hidden" }}>
      <Table highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th visibleFrom="sm">When</Table.Th>
            <Table.Th w={130}>Next</Table.Th>
            <Table.Th w={220} visibleFrom="sm">
              Last
            </Table.Th>
            <Table.Th w={64}>On</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {schedules.map((schedule) => (
            <Table.Tr key={schedule.id}>
              <Table.Td>
                <Anchor
                  fw={550}
                  renderRoot={(props) => (
                    <Link
                      to="/teams/$team/schedules/$schedule"
                      params={{ team, schedule: schedule.id }}
                      {...props}
                    />
                  )}
                >
                  {schedule.name}
                </Anchor>
              </Table.Td>
              <Table.Td visibleFrom="sm">
                {cronWords(schedule.cron)}
                <Text size="xs" c="dimmed">
                  {schedule.timezone}
                </Text>
              </Table.Td>
              <Table.Td>
                <Time at={schedule.next_at} />
              </Table.Td>
              <Table.Td visibleFrom="sm">
                {schedule.last === null ? (
                  <Text c="dimmed" size="sm">
                    not yet
                  </Text>
                ) : (
                  <Group gap={6}>
                    <OutcomeBadge tick={schedule.last} />
                    <Text size="sm" c="dimmed">
                      <Time at={schedule.last.due_at} />
                    </Text>
                  </Group>
                )}
              </Table.Td>
              <Table.Td>
                <EnabledSwitch schedule={schedule} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
  );
}
