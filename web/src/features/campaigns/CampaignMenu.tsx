import { ActionIcon, Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import {
  IconArchive,
  IconArchiveOff,
  IconDotsVertical,
  IconPencil,
  IconTrash,
} from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, type ReactElement } from "react";
import { api } from "#/api/client";
import { isOpen, type Campaign } from "#/shared/campaign/moving";
import { notifyProblem } from "#/shared/errors/notify";
import { useMay, useTeam } from "#/shared/session/session";
import { Confirm } from "#/shared/ui/Confirm";

const EditCampaignModal = lazy(() => import("./EditCampaignModal"));
const ICON = 16;

/** What is done to a campaign seldom: edit what people say of it, archive, delete. */
export function CampaignMenu({ campaign }: { campaign: Campaign }): ReactElement | null {
  const [editing, edit] = useDisclosure();
  const [deleting, remove] = useDisclosure();
  const team = useTeam();
  const may = useMay("submit");
  const mayDelete = useMay("admin");
  const navigate = useNavigate();
  const queries = useQueryClient();
  const params = { path: { campaign: campaign.id } };
  const archived = campaign.archived_at !== null;
  const change = api.useMutation("patch", "/api/v1/campaigns/{campaign}", {
    onSuccess: () => queries.invalidateQueries(),
    onError: notifyProblem,
  });
  const forget = api.useMutation("delete", "/api/v1/campaigns/{campaign}", {
    onSuccess: async () => {
      await navigate({ to: "/teams/$team/campaigns", params: { team } });
      await queries.invalidateQueries();
    },
    onError: notifyProblem,
  });
  if (!may) return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size="input-xs" aria-label="More of this campaign">
            <IconDotsVertical size={ICON} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={ICON} />} onClick={edit.open}>
            Name, tags, notes
          </Menu.Item>
          <Menu.Item
            leftSection={archived ? <IconArchiveOff size={ICON} /> : <IconArchive size={ICON} />}
            onClick={() => change.mutate({ params, body: { archived: !archived } })}
          >
            {archived ? "Back to the list" : "Archive"}
          </Menu.Item>
          {mayDelete && !isOpen(campaign) && campaign.state !== "deleting" && (
            <Menu.Item color="red" leftSection={<IconTrash size={ICON} />} onClick={remove.open}>
              Delete
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {editing && (
        <Suspense fallback={null}>
          <EditCampaignModal campaign={campaign} onClose={edit.close} />
        </Suspense>
      )}
      <Confirm
        opened={deleting}
        onClose={remove.close}
        title={`Delete ${campaign.name}?`}
        action="Delete the campaign"
        pending={forget.isPending}
        onConfirm={() => forget.mutate({ params })}
      >
        Its runs, notes and tags are gone for good. Results that other campaigns share stay, and so
        do cards that were kept of it. To keep it out of lists, archive it.
      </Confirm>
    </>
  );
}
