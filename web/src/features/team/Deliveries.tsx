import { Badge, Button, Code, Group, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { api, type Schema } from "#/api/client";
import { notifyProblem } from "#/shared/errors/notify";
import type { Kind } from "#/shared/live/stream";
import { useLive } from "#/shared/live/useLive";
import { MoreButton } from "#/shared/paging/MoreButton";
import { PAGES } from "#/shared/paging/pages";
import { Time } from "#/shared/time/Time";
import { DataTable, type Column } from "#/shared/ui/DataTable";
import { Loaded } from "#/shared/ui/Loaded";

type Delivery = Schema<"DeliveryOut">;

const POLL_MS = 4_000;
/** A message that was put in, or tried in vain, is told by no event. */
const TOLD_POLL_MS = 30_000;
const WATCHED: readonly Kind[] = ["webhook.delivery"];
const COLOURS: Record<Delivery["state"], string> = {
  delivered: "teal",
  pending: "blue",
  failed: "red",
};

function said({ status_code: status, error, attempts, state }: Delivery): string {
  const parts = [
    status !== null && `answered ${status}`,
    error,
    state === "pending" && attempts > 0 && `after ${attempts} tries`,
  ];
  return parts.filter((part) => part).join(", ");
}

interface Actions {
  shown: number | null;
  onShow: (delivery: number) => void;
  /** null: one is being sent again. */
  onAgain: ((delivery: number) => void) | null;
}

function columnsOf({ shown, onShow, onAgain }: Actions): Column<Delivery>[] {
  return [
    {
      name: "State",
      w: 110,
      cell: ({ state }) => (
        <Badge variant="dot" color={COLOURS[state]} tt="none">
          {state}
        </Badge>
      ),
    },
    {
      name: "Message",
      cell: (delivery) => (
        <>
          {delivery.kind}
          <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {said(delivery)}
          </Text>
        </>
      ),
    },
    { name: "Sent", w: 120, from: "xs", cell: ({ created_at: at }) => <Time at={at} /> },
    {
      name: "",
      w: 150,
      cell: ({ id, state }) => (
        <Group gap={4} justify="flex-end" wrap="nowrap">
          <Button
            variant="subtle"
            size="compact-xs"
            aria-expanded={shown === id}
            onClick={() => onShow(id)}
          >
            Content
          </Button>
          <Button
            variant="subtle"
            size="compact-xs"
            disabled={state === "pending" || onAgain === null}
            onClick={() => onAgain?.(id)}
          >
            Again
          </Button>
        </Group>
      ),
    },
  ];
}

/** What was sent to a webhook, and what became of it. */
export function Deliveries({ team, webhook }: { team: string; webhook: string }): ReactElement {
  const queries = useQueryClient();
  const [shown, setShown] = useState<number | null>(null);
  const live = useLive({
    path: `/api/v1/teams/${team}/events`,
    kinds: WATCHED,
    enabled: true,
    about: webhook,
  });
  const deliveries = api.useInfiniteQuery(
    "get",
    "/api/v1/webhooks/{webhook}/deliveries",
    { params: { path: { webhook }, query: { limit: 20 } } },
    { ...PAGES, refetchInterval: live ? TOLD_POLL_MS : POLL_MS },
  );
  const again = api.useMutation(
    "post",
    "/api/v1/webhooks/{webhook}/deliveries/{delivery}/redeliver",
    { onSuccess: () => queries.invalidateQueries(), onError: notifyProblem },
  );
  const columns = columnsOf({
    shown,
    onShow: (id) => setShown(shown === id ? null : id),
    onAgain: again.isPending
      ? null
      : (delivery) => again.mutate({ params: { path: { webhook, delivery } } }),
  });
  return (
    <Loaded query={deliveries} height={90}>
      {({ pages }) => {
        const items = pages.flatMap((page) => page.items);
        if (items.length === 0)
          return (
            <Text size="sm" c="dimmed" mt="sm">
              Nothing was sent yet.
            </Text>
          );
        return (
          <>
            <DataTable
              columns={columns}
              rows={items}
              keyOf={({ id }) => id}
              below={({ id, payload }) =>
                shown === id ? <Code block>{JSON.stringify(payload, null, 2)}</Code> : null
              }
            />
            <MoreButton of={deliveries} />
          </>
        );
      }}
    </Loaded>
  );
}
