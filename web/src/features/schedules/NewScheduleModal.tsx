import { Anchor, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState, type ReactElement, type SubmitEvent } from "react";
import { api } from "#/api/client";
import { ProblemAlert } from "#/shared/errors/ProblemAlert";
import { ScheduleFields } from "#/shared/schedule/ScheduleFields";
import { freshTiming } from "#/shared/schedule/timing";
import type { Source } from "./sources";
import { SourceSelect } from "./SourceSelect";

interface ModalProps {
  team: string;
  opened: boolean;
  onClose: () => void;
}

export function NewScheduleModal({ team, opened, onClose }: ModalProps): ReactElement {
  const [timing, setTiming] = useState(() => freshTiming(""));
  const [source, setSource] = useState<Source | null>(null);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const make = api.useMutation("post", "/api/v1/teams/{team}/schedules", {
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries();
      await navigate({ to: "/teams/$team/schedules/$schedule", params: { team, schedule: id } });
    },
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    if (source === null) return;
    make.mutate({
      params: { path: { team } },
      body: { ...timing, enabled: true, ...source.campaign },
    });
  };
  return (
    <Modal opened={opened} onClose={onClose} title="New schedule" size="lg">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <SourceSelect
            team={team}
            enabled={opened}
            value={source}
            onChange={(found) => {
              setSource(found);
              if (found !== null && timing.name === "") setTiming({ ...timing, name: found.name });
            }}
          />
          <Text size="xs" c="dimmed">
            For another one, write it as a{" "}
            <Anchor
              size="xs"
              renderRoot={(props) => (
                <Link to="/teams/$team/campaigns/new" params={{ team }} {...props} />
              )}
            >
              new campaign
            </Anchor>{" "}
            and schedule it there.
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
            <Button type="submit" loading={make.isPending} disabled={source === null}>
              Schedule
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
