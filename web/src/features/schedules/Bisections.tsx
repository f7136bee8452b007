import { Button, Code, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { api, type Schema } from "#/api/client";
import { useMay } from "#/shared/session/session";
import { minute } from "#/shared/time/format";
import { StateText } from "./BisectionState";
import { shown, type Board } from "./board";
import type { Schedule } from "./queries";

type Bisection = Schema<"BisectionOut">;

function Found({ of }: { of: Bisection }): ReactElement {
  return (
    <Stack gap={2}>
      <Group gap="xs">
        <StateText of={of} />
        <Code>{of.subject}</Code>
        <Text size="xs" c="dimmed">
          asked for {minute(of.created_at)}
        </Text>
      </Group>
      {of.told.map((line) => (
        <Text key={line} size="sm">
          {line}
        </Text>
      ))}
      {of.steps.map(({ commit, outcome, told }) => (
        <Text key={commit} size="xs" c="dimmed">
          {commit.slice(0, 12)} {outcome}: {told[0]}
        </Text>
      ))}
    </Stack>
  );
}

interface SectionProps {
  board: Board;
  schedule: Schedule;
  /** Milliseconds between two looks. */
  poll: number;
}

/** Which commit moved the newest night: asked for by a button, and what was found so far. */
export function Bisections({ board, schedule, poll }: SectionProps): ReactElement | null {
  const params = { path: { schedule: schedule.id } };
  const queries = useQueryClient();
  const may = useMay("submit");
  const known = api.useQuery(
    "get",
    "/api/v1/schedules/{schedule}/bisections",
    { params: { ...params, query: { limit: 5 } } },
    { refetchInterval: poll, enabled: schedule.subjects.length > 0 },
  ).data;
  const begin = api.useMutation("post", "/api/v1/schedules/{schedule}/bisections", {
    onSuccess: async () => queries.invalidateQueries(),
  });
  const { campaign, night } = board;
  if (schedule.subjects.length === 0 || campaign === null) return null;
  const items = known?.items ?? [];
  const asked = items.some(({ bad }) => bad === campaign);
  const worse = night?.verdict === "worse";
  const offered = may && !asked && (worse || board.points.some(({ verdict }) => shown(verdict)));
  if (!offered && items.length === 0) return null;
  return (
    <Paper p="md">
      <Group justify="space-between" mb="xs">
        <Title order={3}>Which commit it was</Title>
        {offered && (
          <Button
            size="xs"
            variant="default"
            loading={begin.isPending}
            onClick={() => begin.mutate({ params, body: { bad: campaign } })}
          >
            {worse ? "find the first bad commit" : "find the commit"}
          </Button>
        )}
      </Group>
      {begin.error && (
        <Text role="alert" size="sm" c="var(--weir-failed)">
          {begin.error.detail}
        </Text>
      )}
      <Stack gap="md">
        {items.map((each) => (
          <Found key={each.id} of={each} />
        ))}
      </Stack>
    </Paper>
  );
}
