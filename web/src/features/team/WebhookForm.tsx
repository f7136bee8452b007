import { Checkbox, Stack, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { api, type Schema } from "#/api/client";
import { useProblemOf } from "#/shared/errors/field";
import { FormModal } from "#/shared/ui/FormModal";

type Webhook = Schema<"WebhookOut">;
type Kind = Webhook["events"][number];

export const KINDS: Readonly<Record<Kind, string>> = {
  "campaign.ended": "a campaign ended",
  "campaign.worse": "a scheduled campaign is worse than its baseline",
  "run.failed": "a run failed",
  "schedule.failed": "a schedule could not submit",
};

interface FormProps {
  team: string;
  /** null: a new one. */
  webhook: Webhook | null;
  onClose: () => void;
  /** Called with the secret of a new one. */
  onMade: (secret: string) => void;
}

export function WebhookForm({ team, webhook, onClose, onMade }: FormProps): ReactElement {
  const [url, setUrl] = useState(webhook?.url ?? "");
  const [events, setEvents] = useState<string[]>(
    webhook?.events ?? ["campaign.ended", "schedule.failed"],
  );
  const queries = useQueryClient();
  const done = async (): Promise<void> => {
    await queries.invalidateQueries();
    onClose();
  };
  const make = api.useMutation("post", "/api/v1/teams/{team}/webhooks", {
    onSuccess: async ({ secret }) => {
      onMade(secret);
      await done();
    },
  });
  const change = api.useMutation("patch", "/api/v1/webhooks/{webhook}", { onSuccess: done });
  const error = make.error ?? change.error;
  const problemOf = useProblemOf(error);
  const body = { url, events: events as Kind[] };
  return (
    <FormModal
      opened
      onClose={onClose}
      title={webhook === null ? "New webhook" : "Edit the webhook"}
      action={webhook === null ? "Make it" : "Save"}
      onSubmit={() => {
        if (webhook === null)
          make.mutate({ params: { path: { team } }, body: { ...body, enabled: true } });
        else change.mutate({ params: { path: { webhook: webhook.id } }, body });
      }}
      pending={make.isPending || change.isPending}
      error={error}
      disabled={events.length === 0}
    >
      <TextInput
        label="Address"
        type="url"
        required
        data-autofocus
        placeholder="https://ci.example.org/hooks/weir"
        value={url}
        error={problemOf("url")}
        onChange={(event) => setUrl(event.currentTarget.value)}
      />
      <Checkbox.Group label="Told when" value={events} onChange={setEvents}>
        <Stack gap={6} mt={6}>
          {Object.entries(KINDS).map(([kind, words]) => (
            <Checkbox key={kind} value={kind} label={words} size="xs" />
          ))}
        </Stack>
      </Checkbox.Group>
    </FormModal>
  );
}
