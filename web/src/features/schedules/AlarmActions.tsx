import { Button, Group, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { api, type Schema } from "#/api/client";
import { notifyProblem } from "#/shared/errors/notify";
import { useMay } from "#/shared/session/session";

export type Alarm = Schema<"AlarmOut">;

const WEEK_MS = 7 * 24 * 3_600_000;

/** Acknowledge, mute for a week, note. */
export function AlarmActions({ alarm }: { alarm: Alarm }): ReactElement | null {
  const queries = useQueryClient();
  const [note, setNote] = useState(alarm.note);
  const change = api.useMutation("patch", "/api/v1/alarms/{alarm}", {
    onSuccess: () => queries.invalidateQueries(),
    onError: notifyProblem,
  });
  const may = useMay("submit");
  if (!may) return null;
  const put = (body: Schema<"AlarmChange">): void =>
    change.mutate({ params: { path: { alarm: alarm.id } }, body });
  const seen = alarm.acknowledged_at !== null;
  const muted = alarm.muted_until !== null;
  return (
    <Group gap={4}>
      <Button
        size="compact-xs"
        variant="subtle"
        loading={change.isPending}
        onClick={() => put({ acknowledged: !seen })}
      >
        {seen ? "take back" : "acknowledge"}
      </Button>
      <Button
        size="compact-xs"
        variant="subtle"
        disabled={change.isPending}
        onClick={() =>
          put({ muted_until: new Date(Date.now() + (muted ? 0 : WEEK_MS)).toISOString() })
        }
      >
        {muted ? "unmute" : "mute a week"}
      </Button>
      <TextInput
        size="xs"
        flex="1 1 110px"
        aria-label={`Note on ${alarm.metric}`}
        placeholder="note"
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        onBlur={() => {
          if (note !== alarm.note) put({ note });
        }}
      />
    </Group>
  );
}
