import { Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState, type ReactElement } from "react";
import { api } from "#/api/client";
import { ScheduleFields } from "#/shared/schedule/ScheduleFields";
import { freshTiming } from "#/shared/schedule/timing";
import { FormModal } from "#/shared/ui/FormModal";
import type { CampaignIn } from "./check";

interface ModalProps {
  team: string;
  name: string;
  body: CampaignIn;
  opened: boolean;
  onClose: () => void;
  onMade: () => void;
}

/** Submits the draft again and again instead of once. */
export function ScheduleModal({
  team,
  name,
  body,
  opened,
  onClose,
  onMade,
}: ModalProps): ReactElement {
  const [timing, setTiming] = useState(() => freshTiming(name));
  const navigate = useNavigate();
  const queries = useQueryClient();
  const make = api.useMutation("post", "/api/v1/teams/{team}/schedules", {
    onSuccess: async ({ id, name: made }) => {
      notifications.show({ message: `${made} is scheduled` });
      onMade();
      await queries.invalidateQueries();
      await navigate({ to: "/teams/$team/schedules/$schedule", params: { team, schedule: id } });
    },
  });
  const submit = (): void => {
    make.mutate({ params: { path: { team } }, body: { ...timing, campaign: body, enabled: true } });
  };
  return (
    <FormModal
      opened={opened}
      onClose={onClose}
      title="Schedule this campaign"
      size="lg"
      deed="Schedule"
      onSubmit={submit}
      pending={make.isPending}
      error={make.error}
    >
      <Text size="sm" c="dimmed">
        It is kept as it is now. Runs that have a result for the same kernel and roles are not run
        again.
      </Text>
      <ScheduleFields
        team={team}
        value={timing}
        onChange={(change) => setTiming({ ...timing, ...change })}
        error={make.error}
      />
    </FormModal>
  );
}
