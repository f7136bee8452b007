import { Anchor, Box, Group, Paper, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { api } from "#/api/client";
import { MoreButton } from "#/shared/paging/MoreButton";
import { PAGES } from "#/shared/paging/pages";
import { full } from "#/shared/time/format";
import { DataTable, type Column } from "#/shared/ui/DataTable";
import { Loaded } from "#/shared/ui/Loaded";
import { Subjects } from "#/shared/ui/Subjects";
import { useNarrow } from "#/shared/ui/useNarrow";
import { NightBadge } from "./NightBadge";
import { OutcomeBadge } from "./OutcomeBadge";
import { TakeAsBaseline } from "./TakeAsBaseline";
import type { Schedule, Tick } from "./queries";

function columnsOf(team: string, schedule: Schedule, isNarrow: boolean): Column<Tick>[] {
  return [
    {
      name: "Due",
      cell: (tick) => (
        <>
          {full(tick.due_at)}
          {isNarrow && (
            <Box mt={4}>
              <Group gap={6}>
                <OutcomeBadge tick={tick} />
                <Subjects of={tick.subjects} />
              </Group>
              <Text size="xs" c="dimmed">
                {tick.detail}
              </Text>
            </Box>
          )}
        </>
      ),
    },
    {
      name: "Outcome",
      w: 120,
      from: "sm",
      cell: (tick) => !isNarrow && <OutcomeBadge tick={tick} />,
    },
    {
      name: "Beside the baseline",
      w: 130,
      cell: ({ night }) => night && <NightBadge night={night} />,
    },
    {
      name: "Under test",
      from: "sm",
      cell: ({ subjects }) => !isNarrow && <Subjects of={subjects} />,
    },
    { name: "Why", from: "sm", cell: ({ detail }) => !isNarrow && detail },
    {
      name: "Campaign",
      w: 86,
      cell: ({ campaign }) =>
        campaign !== null && (
          <Anchor
            renderRoot={(props) => (
              <Link to="/teams/$team/campaigns/$campaign" params={{ team, campaign }} {...props} />
            )}
          >
            show
          </Anchor>
        ),
    },
    {
      name: "",
      w: 150,
      from: "md",
      cell: ({ campaign }) =>
        campaign !== null && <TakeAsBaseline schedule={schedule} campaign={campaign} />,
    },
  ];
}

interface TicksProps {
  team: string;
  schedule: Schedule;
  /** Milliseconds between two looks. */
  poll: number;
}

/** When a schedule was due, and what came of it. */
export function TicksTable({ team, schedule, poll }: TicksProps): ReactElement {
  const isNarrow = useNarrow("sm");
  const ticks = api.useInfiniteQuery(
    "get",
    "/api/v1/schedules/{schedule}/ticks",
    { params: { path: { schedule: schedule.id }, query: { limit: 30 } } },
    { ...PAGES, refetchInterval: poll },
  );
  return (
    <Loaded query={ticks} height={140}>
      {({ pages }) => {
        const items = pages.flatMap((page) => page.items);
        if (items.length === 0)
          return (
            <Text size="sm" c="dimmed">
              It was not due yet.
            </Text>
          );
        return (
          <Paper style={{ overflow: "hidden" }}>
            <DataTable
              columns={columnsOf(team, schedule, isNarrow)}
              rows={items}
              keyOf={({ id }) => id}
            />
            <MoreButton of={ticks} />
          </Paper>
        );
      }}
    </Loaded>
  );
}
