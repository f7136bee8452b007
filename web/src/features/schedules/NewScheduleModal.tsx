import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState, type ReactElement } from "react";
import { ScheduleFields } from "#/shared/schedule/ScheduleFields";
import { freshTiming } from "#/shared/schedule/timing";
import { useMakeSchedule } from "#/shared/schedule/useMakeSchedule";
import { FormModal } from "#/shared/ui/FormModal";
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
  const make = useMakeSchedule(team);
  const submit = (): void => {
    if (source === null) return;
    make.mutate({
      params: { path: { team } },
      body: { ...timing, enabled: true, ...source.campaign },
    });
  };
  return (
    <FormModal
      opened={opened}
      onClose={onClose}
      title="New schedule"
      size="lg"
      action="Schedule"
      onSubmit={submit}
      pending={make.isPending}
      error={make.error}
      disabled={source === null}
    >
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
    </FormModal>
  );
}
