import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { api } from "#/api/client";
import { ScheduleFields } from "#/shared/schedule/ScheduleFields";
import { FormModal } from "#/shared/ui/FormModal";
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
  const { name, cron, timezone, overlap, missed, baseline, most_replicates } = schedule;
  const [timing, setTiming] = useState({
    ...{ name, cron, timezone, overlap, missed, baseline, most_replicates },
  });
  const [source, setSource] = useState<Source | null>(null);
  const queries = useQueryClient();
  const change = api.useMutation("patch", "/api/v1/schedules/{schedule}", {
    onSuccess: async () => {
      await queries.invalidateQueries();
      onClose();
    },
  });
  const submit = (): void => {
    change.mutate({
      params: { path: { schedule: schedule.id } },
      body: { ...timing, ...source?.campaign },
    });
  };
  return (
    <FormModal
      opened={opened}
      onClose={onClose}
      title={`Edit ${name}`}
      size="lg"
      action="Save"
      onSubmit={submit}
      pending={change.isPending}
      error={change.error}
    >
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
    </FormModal>
  );
}
