import { Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState, type ReactElement } from "react";
import { ScheduleFields } from "#/shared/schedule/ScheduleFields";
import { freshTiming } from "#/shared/schedule/timing";
import { useMakeSchedule } from "#/shared/schedule/useMakeSchedule";
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
  const make = useMakeSchedule(team, (made) => {
    notifications.show({ message: `${made.name} is scheduled` });
    onMade();
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
      action="Schedule"
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
