import { Badge, Button, Collapse, Group, Paper, Switch, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { api, type Schema } from "#/api/client";
import { notifyProblem } from "#/shared/errors/notify";
import { full } from "#/shared/time/format";
import { Confirm } from "#/shared/ui/Confirm";
import { Deliveries } from "./Deliveries";
import { KINDS } from "./WebhookForm";

interface CardProps {
  webhook: Schema<"WebhookOut">;
  team: string;
  onEdit: () => void;
  onSecret: () => void;
}

/** A webhook: what it is told, its messages; on and off, test, edit, new secret, delete. */
export function WebhookCard({ team, webhook, onEdit, onSecret }: CardProps): ReactElement {
  const [open, { toggle, open: show }] = useDisclosure();
  const [now] = useState(() => Date.now());
  const until = webhook.old_secret_until;
  const [deleting, remove] = useDisclosure();
  const queries = useQueryClient();
  const settled = { onSuccess: () => queries.invalidateQueries(), onError: notifyProblem };
  const change = api.useMutation("patch", "/api/v1/webhooks/{webhook}", settled);
  const forget = api.useMutation("delete", "/api/v1/webhooks/{webhook}", settled);
  const test = api.useMutation("post", "/api/v1/webhooks/{webhook}/test", {
    onError: notifyProblem,
    onSuccess: async () => {
      notifications.show({ message: "A test message is on its way" });
      show();
      await queries.invalidateQueries();
    },
  });
  const params = { params: { path: { webhook: webhook.id } } };
  return (
    <Paper p="md" component="article" aria-label={webhook.url}>
      <Group justify="space-between" align="start" gap="xs">
        <div style={{ minWidth: 0, flex: 1 }}>
          <Text ff="monospace" size="sm" fw={600} style={{ overflowWrap: "anywhere" }}>
            {webhook.url}
          </Text>
          <Group gap={4} mt={6}>
            {webhook.events.map((kind) => (
              <Badge key={kind} variant="light" tt="none" fw={550}>
                {KINDS[kind]}
              </Badge>
            ))}
          </Group>
          {until !== null && Date.parse(until) > now && (
            <Text size="xs" c="dimmed" mt={4}>
              Signed by the old secret, too, until {full(until)}.
            </Text>
          )}
        </div>
        <Switch
          size="sm"
          aria-label={`${webhook.url} is on`}
          checked={webhook.enabled}
          disabled={change.isPending}
          onChange={(event) =>
            change.mutate({ ...params, body: { enabled: event.currentTarget.checked } })
          }
        />
      </Group>
      <Group gap="xs" mt="sm">
        <Button variant="default" size="compact-xs" onClick={toggle} aria-expanded={open}>
          {open ? "Hide messages" : "Show messages"}
        </Button>
        <Button
          variant="default"
          size="compact-xs"
          loading={test.isPending}
          onClick={() => test.mutate(params)}
        >
          Send a test
        </Button>
        <Button variant="default" size="compact-xs" onClick={onEdit}>
          Edit
        </Button>
        <Button variant="default" size="compact-xs" onClick={onSecret}>
          Change secret
        </Button>
        <Button variant="light" color="red" size="compact-xs" onClick={remove.open}>
          Delete
        </Button>
      </Group>
      <Collapse expanded={open}>{open && <Deliveries team={team} webhook={webhook.id} />}</Collapse>
      <Confirm
        opened={deleting}
        onClose={remove.close}
        title="Delete this webhook?"
        action="Delete the webhook"
        pending={forget.isPending}
        onConfirm={() => forget.mutate(params)}
      >
        {webhook.url} is told nothing any more, and the list of its messages is lost.
      </Confirm>
    </Paper>
  );
}
