import { Switch } from "@mantine/core";
import type { ReactElement } from "react";
import { useMay } from "#/shared/session/session";
import { useEnable, type Schedule } from "./queries";

interface SwitchProps {
  schedule: Pick<Schedule, "id" | "name" | "enabled">;
}

export function EnabledSwitch({ schedule }: SwitchProps): ReactElement {
  const enable = useEnable();
  const may = useMay("submit");
  return (
    <Switch
      size="sm"
      aria-label={`${schedule.name} is on`}
      checked={enable.isPending ? enable.variables.body.enabled === true : schedule.enabled}
      disabled={!may || enable.isPending}
      onChange={(event) =>
        enable.mutate({
          params: { path: { schedule: schedule.id } },
          body: { enabled: event.currentTarget.checked },
        })
      }
    />
  );
}
