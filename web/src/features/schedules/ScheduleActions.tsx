import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { IconPencil, IconPlayerPlay, IconTrash } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { api } from "#/api/client";
import { notifyProblem } from "#/shared/errors/notify";
import { useMay } from "#/shared/session/session";
import { Confirm } from "#/shared/ui/Confirm";
import { EditScheduleModal } from "./EditScheduleModal";
import { useRunNow, type Schedule } from "./queries";

const ICON = 15;

/** Run now, edit, delete. */
export function ScheduleActions({
  team,
  schedule,
}: {
  team: string;
  schedule: Schedule;
}): ReactElement | null {
  const [editing, edit] = useDisclosure();
  const [deleting, remove] = useDisclosure();
  const may = useMay("submit");
  const navigate = useNavigate();
  const queries = useQueryClient();
  const runNow = useRunNow();
  const forget = api.useMutation("delete", "/api/v1/schedules/{schedule}", {
    onSuccess: async () => {
      await navigate({ to: "/teams/$team/schedules", params: { team } });
      await queries.invalidateQueries();
    },
    onError: notifyProblem,
  });
  const params = { params: { path: { schedule: schedule.id } } };
  if (!may) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconTrash size={ICON} />} onClick={remove.open}>
        Delete
      </Button>
      <Button variant="default" leftSection={<IconPencil size={ICON} />} onClick={edit.open}>
        Edit
      </Button>
      <Button
        leftSection={<IconPlayerPlay size={ICON} />}
        loading={runNow.isPending}
        onClick={() =>
          runNow.mutate(params, {
            onSuccess: ({ outcome, detail }) =>
              notifications.show({
                color: outcome === "failed" ? "red" : undefined,
                message: outcome === "failed" ? detail : "Its campaign is submitted",
              }),
          })
        }
      >
        Run now
      </Button>
      <EditScheduleModal
        key={`${schedule.name} ${schedule.cron} ${schedule.timezone} ${String(editing)}`}
        team={team}
        schedule={schedule}
        opened={editing}
        onClose={edit.close}
      />
      <Confirm
        opened={deleting}
        onClose={remove.close}
        title={`Delete ${schedule.name}?`}
        action="Delete the schedule"
        pending={forget.isPending}
        onConfirm={() => forget.mutate(params)}
      >
        It submits nothing any more. Campaigns that it submitted stay.
      </Confirm>
    </>
  );
}
