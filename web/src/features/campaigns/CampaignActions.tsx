import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { IconCopy, IconPlayerPause, IconPlayerPlay, IconRefresh, IconX } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { api } from "#/api/client";
import { isMoving, isOpen, type Campaign } from "#/shared/campaign/moving";
import { notifyProblem } from "#/shared/errors/notify";
import { useShortcut } from "#/shared/keys/shortcuts";
import { useMay, useTeam } from "#/shared/session/session";
import { Confirm } from "#/shared/ui/Confirm";
import { count } from "#/shared/units/format";
import { CampaignMenu } from "./CampaignMenu";

const ICON = 15;

function useActions(campaign: string) {
  const queries = useQueryClient();
  const common = {
    onSuccess: () => queries.invalidateQueries(),
    onError: notifyProblem,
  };
  const params = { params: { path: { campaign } } };
  const pause = api.useMutation("post", "/api/v1/campaigns/{campaign}/pause", common);
  const resume = api.useMutation("post", "/api/v1/campaigns/{campaign}/resume", common);
  const cancel = api.useMutation("post", "/api/v1/campaigns/{campaign}/cancel", common);
  const rerun = api.useMutation("post", "/api/v1/campaigns/{campaign}/rerun", {
    onError: notifyProblem,
    onSuccess: async ({ queued }) => {
      notifications.show({
        message: `${count(queued)} ${queued === 1 ? "run is" : "runs are"} queued again`,
      });
      await queries.invalidateQueries();
    },
  });
  return {
    pause: { run: () => pause.mutate(params), pending: pause.isPending },
    resume: { run: () => resume.mutate(params), pending: resume.isPending },
    cancel: { run: () => cancel.mutate(params), pending: cancel.isPending },
    rerun: {
      run: () => rerun.mutate({ ...params, body: { only: ["failed", "invalid"] } }),
      pending: rerun.isPending,
    },
  };
}

/** Pause, resume, cancel, run failed ones again: what the state and the user's role allow. */
export function CampaignActions({ campaign }: { campaign: Campaign }): ReactElement | null {
  const [asking, { open, close }] = useDisclosure();
  const may = useMay("submit");
  const team = useTeam();
  const { pause, resume, cancel, rerun } = useActions(campaign.id);
  const moving = isMoving(campaign);
  const paused = campaign.state === "paused";
  useShortcut("p", "Pause or resume the campaign", () => {
    if (!may) return;
    if (moving) pause.run();
    else if (paused) resume.run();
  });
  if (!may) return null;
  const again = (campaign.counts.failed ?? 0) + (campaign.counts.invalid ?? 0);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconCopy size={ICON} />}
        renderRoot={(props) => (
          <Link
            to="/teams/$team/campaigns/new"
            params={{ team }}
            search={{ campaign: campaign.id }}
            {...props}
          />
        )}
      >
        New from this
      </Button>
      {again > 0 && campaign.state !== "cancelled" && (
        <Button
          variant="default"
          leftSection={<IconRefresh size={ICON} />}
          loading={rerun.pending}
          onClick={rerun.run}
        >
          Rerun {count(again)} failed {again === 1 ? "run" : "runs"}
        </Button>
      )}
      {moving && (
        <Button
          variant="default"
          leftSection={<IconPlayerPause size={ICON} />}
          loading={pause.pending}
          onClick={pause.run}
        >
          Pause
        </Button>
      )}
      {paused && (
        <Button
          leftSection={<IconPlayerPlay size={ICON} />}
          loading={resume.pending}
          onClick={resume.run}
        >
          Resume
        </Button>
      )}
      {isOpen(campaign) && (
        <Button variant="default" leftSection={<IconX size={ICON} />} onClick={open}>
          Cancel
        </Button>
      )}
      <CampaignMenu campaign={campaign} />
      <Confirm
        opened={asking}
        onClose={close}
        title={`Cancel ${campaign.name}?`}
        action="Cancel the campaign"
        keep="Keep it going"
        pending={cancel.pending}
        onConfirm={() => {
          cancel.run();
          close();
        }}
      >
        Runs that have not begun never will; those that are running are finished. Results stay.
      </Confirm>
    </>
  );
}
