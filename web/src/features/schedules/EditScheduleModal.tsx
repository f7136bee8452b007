import { Button, Group, Modal, Stack } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement, type SubmitEvent } from "react";
import { api } from "#/api/client";
import { ProblemAlert } from "#/shared/errors/ProblemAlert";
import { ScheduleFields } from "#/shared/schedule/ScheduleFields";
import type { Schedule } from "./queries";

interface ModalProps {
  team: string;
  schedule: Schedule;
  opened: boolean;
  onClose: () => void;
}

/** Changes when a schedule is due; its campaign stays. */
export function EditScheduleModal({ team, schedule, opened, onClose }: ModalProps): ReactElement {
  const { name, cron, timezone, overlap, missed } = schedule;
  const [timing, setTiming] = useState({ name, cron, timezone, overlap, missed });
  const queries = useQueryClient();
  const change = api.useMutation("patch", "/api/v1/schedules/{schedule}", {
    onSuccess: async () => {
      await queries.invalidateQueries();
      onClose();
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    change.mutate({ params: { path: { schedule: schedule.id } }, body: timing });
  };
  return (
    <Modal opened={opened} onClose={onClose} title={`Edit ${name}`} size="lg">
      <form onSubmit={submit}>
        <Stack gap="sm">
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
