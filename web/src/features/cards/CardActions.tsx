import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import {
  IconChartBar,
  IconFileDownload,
  IconPencil,
  IconRepeat,
  IconShare,
  IconTrash,
} from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { api } from "#/api/client";
import { notifyProblem } from "#/shared/errors/notify";
import { fileName } from "#/shared/plots/save";
import { useMay } from "#/shared/session/session";
import { Confirm } from "#/shared/ui/Confirm";
import { EditCard } from "./EditCard";
import { fileAddress, type CardDetail } from "./queries";
import { ReproduceCard } from "./ReproduceCard";
import { ShareCard } from "./ShareCard";

const ICON = 15;

/** Open the view again, take the card along, reproduce it, share it, edit it, delete it. */
export function CardActions({ team, card }: { team: string; card: CardDetail }): ReactElement {
  const [editing, edit] = useDisclosure();
  const [sharing, share] = useDisclosure();
  const [reproducing, reproduce] = useDisclosure();
  const [deleting, remove] = useDisclosure();
  const may = useMay("submit");
  const navigate = useNavigate();
  const queries = useQueryClient();
  const forget = api.useMutation("delete", "/api/v1/cards/{card}", {
    onSuccess: async () => {
      await navigate({ to: "/teams/$team/cards", params: { team } });
      await queries.invalidateQueries();
    },
    onError: notifyProblem,
  });
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconChartBar size={ICON} />}
        onClick={() => void navigate({ href: card.view })}
      >
        Draw again
      </Button>
      <Button
        variant="default"
        leftSection={<IconFileDownload size={ICON} />}
        renderRoot={(props) => (
          <a href={fileAddress(card)} download={`${fileName(card.name)}.html`} {...props} />
        )}
      >
        HTML file
      </Button>
      {may && (
        <>
          <Button
            variant="default"
            leftSection={<IconRepeat size={ICON} />}
            onClick={reproduce.open}
          >
            Reproduce
          </Button>
          <Button variant="default" leftSection={<IconPencil size={ICON} />} onClick={edit.open}>
            Edit
          </Button>
          <Button variant="default" leftSection={<IconTrash size={ICON} />} onClick={remove.open}>
            Delete
          </Button>
          <Button leftSection={<IconShare size={ICON} />} onClick={share.open}>
            Share
          </Button>
        </>
      )}
      {editing && <EditCard card={card} onClose={edit.close} />}
      {reproducing && <ReproduceCard card={card} onClose={reproduce.close} />}
      {sharing && <ShareCard card={card} onClose={share.close} />}
      <Confirm
        opened={deleting}
        onClose={remove.close}
        title={`Delete ${card.name}?`}
        action="Delete the card"
        pending={forget.isPending}
        onConfirm={() => forget.mutate({ params: { path: { card: card.id } } })}
      >
        Its picture and words are gone, and its link ends. The campaign and its runs stay.
      </Confirm>
    </>
  );
}
