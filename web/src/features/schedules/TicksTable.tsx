import { Anchor, Paper, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { api } from "#/api/client";
import { MoreButton } from "#/shared/paging/MoreButton";
import { PAGES } from "#/shared/paging/pages";
import { full } from "#/shared/time/format";
import { DataTable, type Column } from "#/shared/ui/DataTable";
import { Loaded } from "#/shared/ui/Loaded";
import { Subjects } from "#/shared/ui/Subjects";
import { NightBadge } from "./NightBadge";
import { OutcomeBadge } from "./OutcomeBadge";
import { TakeAsBaseline } from "./TakeAsBaseline";
import type { Schedule, Tick } from "./queries";

function columnsOf(team: string, schedule: Schedule): Column<Tick>[] {
  return [
    { name: "Due", cell: (tick) => full(tick.due_at) },
    {
      name: "Outcome",
      w: 120,
      from: "sm",
      folded: true,
      cell: (tick) => <OutcomeBadge tick={tick} />,
    },
    {
      name: "Beside the baseline",
      w: 130,
      cell: ({ night }) => night && <NightBadge night={night} />,
    },
    {
      name: "Under test",
      from: "sm",
      folded: true,
      cell: ({ subjects }) => <Subjects of={subjects} />,
    },
    {
      name: "Why",
      from: "sm",
      folded: ({ detail }) => (
        <Text size="xs" c="dimmed">
          {detail}
        </Text>
      ),
      cell: ({ detail }) => detail,
    },
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
            <DataTable columns={columnsOf(team, schedule)} rows={items} keyOf={({ id }) => id} />
            <MoreButton of={ticks} />
          </Paper>
        );
      }}
    </Loaded>
  );
}
