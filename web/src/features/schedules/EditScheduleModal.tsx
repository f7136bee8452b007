import { Button, Group, Modal, Stack } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement, type SubmitEvent } from "react";
import { api } from "#/api/client";
import { ProblemAlert } from "#/shared/errors/ProblemAlert";
import { ScheduleFields } from "#/shared/schedule/ScheduleFields";
import type { Schedule } from "./queries";
import type { Source } from "./sources";
import { SourceSelect } from "./SourceSelect";

interface ModalProps {
  team: string;
  schedule: Schedule;
  opened: boolean;
  onClose: () => void;
}

/** Changes when a schedule is due, and what it submits from now on. */
export function EditScheduleModal({ team, schedule, opened, onClose }: ModalProps): ReactElement {
  const { name, cron, timezone, overlap, missed } = schedule;
  const [timing, setTiming] = useState({ name, cron, timezone, overlap, missed });
  const [source, setSource] = useState<Source | null>(null);
  const queries = useQueryClient();
  const change = api.useMutation("patch", "/api/v1/schedules/{schedule}", {
    onSuccess: async () => {
      await queries.invalidateQueries();
      onClose();
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    change.mutate({
      params: { path: { schedule: schedule.id } },
      body: { ...timing, ...source?.campaign },
    });
  };
  return (
    <Modal opened={opened} onClose={onClose} title={`Edit ${name}`} size="lg">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <SourceSelect
            team={team}
            enabled={opened}
            value={source}
            onChange={setSource}
            kept="as it is"
          />
          <ScheduleFields
            team={team}
            value={timing}
            onChange={(next) => setTiming({ ...timing, ...next })}
            error={change.error}
          />
          {change.error && <ProblemAlert error={change.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Leave it as it was
            </Button>
            <Button type="submit" loading={change.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
