import { Anchor, Code, Group, List, Paper, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { api } from "#/api/client";
import { cronWords, MISSED, OVERLAPS } from "#/shared/schedule/words";
import { full } from "#/shared/time/format";
import { Fact } from "#/shared/ui/Fact";
import { Loaded } from "#/shared/ui/Loaded";
import { Page } from "#/shared/ui/Page";
import { BaselineFact } from "./BaselineFact";
import { BadgeFact } from "./BadgeFact";
import { BoardSection } from "./BoardSection";
import { EnabledSwitch } from "./EnabledSwitch";
import { useSchedule, useTicks, type Schedule } from "./queries";
import { ScheduleActions } from "./ScheduleActions";
import { TicksTable } from "./TicksTable";

const route = getRouteApi("/inside/teams/$team/schedules/$schedule");

function Next({ team, schedule }: { team: string; schedule: Schedule }): ReactElement {
  const { cron, timezone } = schedule;
  const next = api.useQuery("get", "/api/v1/teams/{team}/schedules/preview", {
    params: { path: { team }, query: { cron, timezone, count: 5 } },
  });
  if (!schedule.enabled)
    return (
      <Text size="sm" c="dimmed">
        None while it is off.
      </Text>
    );
  return (
    <Loaded query={next} height={80}>
      {(times) => (
        <List size="sm" styles={{ item: { fontVariantNumeric: "tabular-nums" } }}>
          {times.map(({ at }) => (
            <List.Item key={at}>{full(at)}</List.Item>
          ))}
        </List>
      )}
    </Loaded>
  );
}

/** A schedule: when it is due, what came of it, and what it submits. */
export function SchedulePage(): ReactElement {
  const { team, schedule: id } = route.useParams();
  const poll = useTicks(team);
  const query = useSchedule(id, poll);
  const schedule = query.data;
  if (schedule === undefined)
    return (
      <Page title="Schedule">
        <Loaded query={query} height={320}>
          {() => null}
        </Loaded>
      </Page>
    );
  return (
    <Page
      title={schedule.name}
      beside={<EnabledSwitch schedule={schedule} />}
      actions={<ScheduleActions team={team} schedule={schedule} />}
    >
      <Paper p="md">
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
          <Fact name="When">{cronWords(schedule.cron)}</Fact>
          <Fact name="Cron">
            <Code bg="transparent" px={0}>
              {schedule.cron}
            </Code>{" "}
            <Text span size="xs" c="dimmed">
              {schedule.timezone}
            </Text>
          </Fact>
          <Fact name="While an earlier one goes on">{OVERLAPS[schedule.overlap]}</Fact>
          <Fact name="When the platform was down">{MISSED[schedule.missed]}</Fact>
          <Fact name="Compared with">
            <BaselineFact team={team} schedule={schedule} />
          </Fact>
          {schedule.baseline !== "none" && schedule.most_replicates > 0 && (
            <Fact name="Where it cannot be told">up to {schedule.most_replicates} replicates</Fact>
          )}
          {schedule.mail_to.length > 0 && (
            <Fact name="Told by e-mail">{schedule.mail_to.join(", ")}</Fact>
          )}
          <BadgeFact schedule={schedule} />
          {schedule.subjects.map(({ name, repository, branch, path }) => (
            <Fact key={name} name={`Under test: ${name}`}>
              {path} of {branch}{" "}
              <Text span size="xs" c="dimmed">
                {repository}
              </Text>
            </Fact>
          ))}
        </SimpleGrid>
      </Paper>
      <BoardSection team={team} schedule={schedule} poll={poll} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <Paper p="md">
          <Title order={2} mb="xs">
            Next times
          </Title>
          <Next team={team} schedule={schedule} />
        </Paper>
        <Paper p="md">
          <Group justify="space-between" mb="xs">
            <Title order={2}>What it submits</Title>
            <Anchor
              size="sm"
              renderRoot={(props) => (
                <Link
                  to="/teams/$team/campaigns/new"
                  params={{ team }}
                  search={{ schedule: id }}
                  {...props}
                />
              )}
            >
              begin a new campaign from it
            </Anchor>
          </Group>
          <Text size="xs" c="dimmed">
            As it was when it was put into the schedule; Edit puts another one in.
          </Text>
          <Code block mah={260} style={{ overflow: "auto" }} bg="transparent" px={0} tabIndex={0}>
            {schedule.campaign.document}
          </Code>
        </Paper>
      </SimpleGrid>
      <Stack gap="xs">
        <Title order={2}>Times so far</Title>
        <TicksTable team={team} schedule={schedule} poll={poll} />
      </Stack>
    </Page>
  );
}
