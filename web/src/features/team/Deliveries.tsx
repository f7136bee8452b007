import { Badge, Button, Code, Group, Table, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Fragment, useState, type ReactElement } from "react";
import { api, type Schema } from "#/api/client";
import { notifyProblem } from "#/shared/errors/notify";
import { MoreButton } from "#/shared/paging/MoreButton";
import { PAGES } from "#/shared/paging/pages";
import { Time } from "#/shared/time/Time";
import { Loaded } from "#/shared/ui/Loaded";

type Delivery = Schema<"DeliveryOut">;

const POLL_MS = 4_000;
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

/** What was sent to a webhook, and what became of it. */
export function Deliveries({ webhook }: { webhook: string }): ReactElement {
  const queries = useQueryClient();
  const [shown, setShown] = useState<number | null>(null);
  const deliveries = api.useInfiniteQuery(
    "get",
    "/api/v1/webhooks/{webhook}/deliveries",
    { params: { path: { webhook }, query: { limit: 20 } } },
    { ...PAGES, refetchInterval: POLL_MS },
  );
  const again = api.useMutation(
    "post",
    "/api/v1/webhooks/{webhook}/deliveries/{delivery}/redeliver",
    { onSuccess: () => queries.invalidateQueries(), onError: notifyProblem },
  );
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
            <Table mt="sm">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th w={110}>State</Table.Th>
                  <Table.Th>Message</Table.Th>
                  <Table.Th w={120} visibleFrom="xs">
                    Sent
                  </Table.Th>
                  <Table.Td w={150} />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {items.map((delivery) => (
                  <Fragment key={delivery.id}>
                    <Table.Tr>
                      <Table.Td>
                        <Badge variant="dot" color={COLOURS[delivery.state]} tt="none">
                          {delivery.state}
                        </Badge>
                      </Table.Td>
                      <Table.Td>
                        {delivery.kind}
                        <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
                          {said(delivery)}
                        </Text>
                      </Table.Td>
                      <Table.Td visibleFrom="xs">
                        <Time at={delivery.created_at} />
                      </Table.Td>
                      <Table.Td>
                        <Group gap={4} justify="flex-end" wrap="nowrap">
                          <Button
                            variant="subtle"
                            size="compact-xs"
                            aria-expanded={shown === delivery.id}
                            onClick={() => setShown(shown === delivery.id ? null : delivery.id)}
                          >
                            Content
                          </Button>
                          <Button
                            variant="subtle"
                            size="compact-xs"
                            disabled={delivery.state === "pending" || again.isPending}
                            onClick={() =>
                              again.mutate({ params: { path: { webhook, delivery: delivery.id } } })
                            }
                          >
                            Again
                          </Button>
                        </Group>
                      </Table.Td>
                    </Table.Tr>
                    {shown === delivery.id && (
                      <Table.Tr>
                        <Table.Td colSpan={4}>
                          <Code block>{JSON.stringify(delivery.payload, null, 2)}</Code>
                        </Table.Td>
                      </Table.Tr>
                    )}
                  </Fragment>
                ))}
              </Table.Tbody>
            </Table>
            <MoreButton of={deliveries} />
          </>
        );
      }}
    </Loaded>
  );
}
