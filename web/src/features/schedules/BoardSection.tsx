import { Group, Paper, Stack, Text, Title } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { api } from "#/api/client";
import { AlarmsTable } from "./AlarmsTable";
import { Bisections } from "./Bisections";
import { BoardGrid } from "./BoardGrid";
import { NightBadge } from "./NightBadge";
import { NightVersions } from "./NightVersions";
import type { Schedule } from "./queries";
import { TrendPanel } from "./TrendPanel";

const route = getRouteApi("/inside/teams/$team/schedules/$schedule");

interface SectionProps {
  team: string;
  schedule: Schedule;
  /** Milliseconds between two looks. */
  poll: number;
}

function NoNight({ compared }: { compared: boolean }): ReactElement {
  return (
    <Paper p="md">
      <Title order={2} mb="xs">
        {compared ? "No night yet" : "No trends"}
      </Title>
      <Text size="sm">
        {compared
          ? "When its first campaign has ended, trends of all metrics begin here; from the second one on, each is compared with its baseline within seconds of its end."
          : "Its campaigns are compared with nothing. Give it a baseline under Edit, and trends of all metrics are drawn here."}
      </Text>
    </Paper>
  );
}

/** The newest night beside its baseline, the way here, and what is worse. */
export function BoardSection({ team, schedule, poll }: SectionProps): ReactElement | null {
  const params = { params: { path: { schedule: schedule.id } } };
  const options = { refetchInterval: poll };
  const board = api.useQuery("get", "/api/v1/schedules/{schedule}/board", params, options).data;
  const alarms = api.useQuery("get", "/api/v1/schedules/{schedule}/alarms", params, options).data;
  const { trend: chosen } = route.useSearch();
  const navigate = route.useNavigate();
  const choose = (trend: number): void => {
    void navigate({ search: { trend }, replace: true, resetScroll: false });
  };
  if (board === undefined) return null;
  if (board.night === null) return <NoNight compared={schedule.baseline !== "none"} />;
  const trend = chosen ?? board.points.find(({ verdict }) => verdict === "worse")?.trend ?? null;
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <Title order={2}>The newest night</Title>
        <NightBadge night={board.night} />
        <NightVersions board={board} />
      </Group>
      {alarms !== undefined && alarms.items.length > 0 && <AlarmsTable alarms={alarms.items} />}
      <Paper p="md">
        <BoardGrid board={board} chosen={trend} onChoose={choose} />
      </Paper>
      <Bisections board={board} schedule={schedule} poll={poll} />
      {trend !== null && <TrendPanel key={trend} team={team} board={board} trend={trend} />}
    </Stack>
  );
}
