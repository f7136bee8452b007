import { Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { IconPlus, IconWebhook } from "@tabler/icons-react";
import { useState, type ReactElement } from "react";
import { api, type Schema } from "#/api/client";
import { useMay } from "#/shared/session/session";
import { DocsLink } from "#/shared/docs/DocsLink";
import { Empty } from "#/shared/ui/Empty";
import { Loaded } from "#/shared/ui/Loaded";
import { ChangeSecret } from "./ChangeSecret";
import { SecretOnce } from "./SecretOnce";
import { WebhookCard } from "./WebhookCard";
import { WebhookForm } from "./WebhookForm";

/** Addresses that are told when campaigns end and things fail. */
export function WebhooksTab({ team }: { team: string }): ReactElement {
  const isAdmin = useMay("admin");
  const [edited, setEdited] = useState<Schema<"WebhookOut"> | "new" | null>(null);
  /** Whose secret is to be changed. */
  const [changed, setChanged] = useState<string | null>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const webhooks = api.useQuery(
    "get",
    "/api/v1/teams/{team}/webhooks",
    { params: { path: { team }, query: { limit: 100 } } },
    { enabled: isAdmin },
  );
  if (!isAdmin)
    return (
      <Paper>
        <Empty icon={<IconWebhook size={36} stroke={1.4} />} title="For the team's administrators">
          They set up which addresses are told of what.
        </Empty>
      </Paper>
    );
  return (
    <section aria-label="Webhooks">
      <Group justify="space-between" mb="xs">
        <Title order={2}>Webhooks</Title>
        <Button leftSection={<IconPlus size={15} />} onClick={() => setEdited("new")}>
          New webhook
        </Button>
      </Group>
      <Loaded query={webhooks} height={140}>
        {({ items }) =>
          items.length === 0 ? (
            <Paper>
              <Empty icon={<IconWebhook size={36} stroke={1.4} />} title="No webhooks">
                A webhook is an address of yours that is sent a signed message when a campaign ends
                or something fails.
              </Empty>
            </Paper>
          ) : (
            <Stack>
              {items.map((webhook) => (
                <WebhookCard
                  key={webhook.id}
                  team={team}
                  webhook={webhook}
                  onEdit={() => setEdited(webhook)}
                  onSecret={() => setChanged(webhook.id)}
                />
              ))}
            </Stack>
          )
        }
      </Loaded>
      <Text size="xs" c="dimmed" mt="xs">
        Messages are signed with the webhook&apos;s secret and sent again when they fail:{" "}
        <DocsLink fz="xs" page="platform.html#webhooks">
          what is sent
        </DocsLink>
        .
      </Text>
      {edited !== null && (
        <WebhookForm
          team={team}
          webhook={edited === "new" ? null : edited}
          onClose={() => setEdited(null)}
          onMade={setSecret}
        />
      )}
      {changed !== null && (
        <ChangeSecret webhook={changed} onClose={() => setChanged(null)} onMade={setSecret} />
      )}
      <SecretOnce title="The webhook's secret" secret={secret} onClose={() => setSecret(null)}>
        With it the receiver checks that a message comes from here.
      </SecretOnce>
    </section>
  );
}
