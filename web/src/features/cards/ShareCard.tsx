import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { api } from "#/api/client";
import { CopyBlock } from "#/shared/copy/CopyBlock";
import { notifyProblem } from "#/shared/errors/notify";
import type { Card } from "./queries";

/** Makes a link that shows the card to everyone who has it, and ends it. */
export function ShareCard({ card, onClose }: { card: Card; onClose: () => void }): ReactElement {
  const [address, setAddress] = useState<string | null>(null);
  const queries = useQueryClient();
  const params = { path: { card: card.id } };
  const make = api.useMutation("post", "/api/v1/cards/{card}/link", {
    onSuccess: async ({ path }) => {
      setAddress(new URL(path, window.location.href).href);
      await queries.invalidateQueries();
    },
    onError: notifyProblem,
  });
  const end = api.useMutation("delete", "/api/v1/cards/{card}/link", {
    onSuccess: async () => {
      setAddress(null);
      await queries.invalidateQueries();
    },
    onError: notifyProblem,
  });
  return (
    <Modal opened onClose={onClose} title={`Share ${card.name}`}>
      <Stack gap="sm">
        <Text size="sm">
          Everyone with its link sees the card, without signing in: picture, words, numbers, the
          campaign&apos;s file and the keys of its runs. They see nothing else, and change nothing.
        </Text>
        {address !== null && (
          <>
            <CopyBlock text={address} />
            <Text size="xs" c="dimmed">
              The server tells it this once.
            </Text>
          </>
        )}
        {address === null && card.shared && (
          <Text size="sm" c="dimmed">
            It has a link. A new one ends that.
          </Text>
        )}
        <Group justify="flex-end">
          {card.shared && (
            <Button
              variant="default"
              loading={end.isPending}
              onClick={() => end.mutate({ params })}
            >
              End the link
            </Button>
          )}
          {address === null && (
            <Button loading={make.isPending} onClick={() => make.mutate({ params })}>
              {card.shared ? "Make a new link" : "Make a link"}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
