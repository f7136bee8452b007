import { Anchor, Button, Group, Modal, Select, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState, type ReactElement, type SubmitEvent } from "react";
import { api } from "#/api/client";
import { ProblemAlert } from "#/shared/errors/ProblemAlert";
import { ScheduleFields } from "#/shared/schedule/ScheduleFields";
import { freshTiming } from "#/shared/schedule/timing";
import { useSources } from "./sources";

interface ModalProps {
  team: string;
  opened: boolean;
  onClose: () => void;
}

export function NewScheduleModal({ team, opened, onClose }: ModalProps): ReactElement {
  const [timing, setTiming] = useState(() => freshTiming(""));
  const [chosen, setChosen] = useState<string | null>(null);
  const { ofTeam, ofWeir, error } = useSources(team, opened);
  const source = [...ofTeam, ...ofWeir].find(({ value }) => value === chosen);
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
    if (source === undefined) return;
    make.mutate({
      params: { path: { team } },
      body: { ...timing, enabled: true, ...source.campaign },
    });
  };
  return (
    <Modal opened={opened} onClose={onClose} title="New schedule" size="lg">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Select
            label="Campaign"
            required
            size="sm"
            searchable
            placeholder="What it submits"
            data={[
              { group: "Your team's", items: ofTeam },
              { group: "Shipped", items: ofWeir },
            ]}
            value={chosen}
            onChange={(value) => {
              setChosen(value);
              const found = [...ofTeam, ...ofWeir].find((each) => each.value === value);
              if (found !== undefined && timing.name === "")
                setTiming({ ...timing, name: found.name });
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
          {error && <ProblemAlert error={error} />}
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
            <Button type="submit" loading={make.isPending} disabled={source === undefined}>
              Schedule
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
