import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { api } from "#/api/client";
import type { VersionRan } from "#/shared/schedule/BaselineFields";
import { ScheduleFields, type Timing } from "#/shared/schedule/ScheduleFields";
import { subjectOf } from "#/shared/schedule/subjects";
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
  // Subjects that nobody touched stay without being fetched anew, and so do those who are told.
  const [timing, setTiming] = useState<Timing>({
    ...{ name, cron, timezone, overlap, missed, baseline, most_replicates },
  });
  const shown = {
    ...{ name, cron, timezone, overlap, missed, baseline, most_replicates },
    ...{ mail_to: schedule.mail_to, subjects: schedule.subjects.map(subjectOf) },
    ...timing,
  };
  const [ran, setRan] = useState<VersionRan | null>(null);
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
      body: { ...timing, ...(ran && { baseline: ran }), ...source?.campaign },
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
        value={shown}
        kept={schedule.subjects}
        byVersion={{
          value: ran,
          onChange: setRan,
          subjects: schedule.subjects.map(({ name }) => name),
        }}
        onChange={(next) => setTiming({ ...timing, ...next })}
        error={change.error}
      />
    </FormModal>
  );
}
