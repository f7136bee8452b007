import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState, type ReactElement, type SubmitEvent } from "react";
import { api } from "#/api/client";
import { ProblemAlert } from "#/shared/errors/ProblemAlert";
import { ScheduleFields } from "#/shared/schedule/ScheduleFields";
import { freshTiming } from "#/shared/schedule/timing";
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
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    make.mutate({ params: { path: { team } }, body: { ...timing, campaign: body, enabled: true } });
  };
  return (
    <Modal opened={opened} onClose={onClose} title="Schedule this campaign" size="lg">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            It is kept as it is now. Runs that have a result for the same kernel and roles are not
            run again.
          </Text>
          <ScheduleFields
            team={team}
            value={timing}
            onChange={(change) => setTiming({ ...timing, ...change })}
            error={make.error}
          />
          {make.error && <ProblemAlert error={make.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Not now
            </Button>
            <Button type="submit" loading={make.isPending}>
              Schedule
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
