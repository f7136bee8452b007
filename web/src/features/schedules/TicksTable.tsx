import { Anchor, Button, Group, Paper, Table, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { api } from "#/api/client";
import { PAGES } from "#/shared/paging/pages";
import { full } from "#/shared/time/format";
import { Loaded } from "#/shared/ui/Loaded";
import { OutcomeBadge } from "./OutcomeBadge";

const POLL_MS = 10_000;

/** When a schedule was due, and what came of it. */
export function TicksTable({ team, schedule }: { team: string; schedule: string }): ReactElement {
  const ticks = api.useInfiniteQuery(
    "get",
    "/api/v1/schedules/{schedule}/ticks",
    { params: { path: { schedule }, query: { limit: 30 } } },
    { ...PAGES, refetchInterval: POLL_MS },
  );
  return (
    <Loaded query={ticks} height={140}>
      {({ pages }) => {
        const items = pages.flatMap((page) => page.items);
        if (items.length === 0)
          return (
            <Text size="sm" c="dimmed">
              It was not due yet.
            </Text>
          );
        return (
          <Paper style={{ overflow: "hidden" }}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Due</Table.Th>
                  <Table.Th w={120}>Outcome</Table.Th>
                  <Table.Th visibleFrom="sm">Why</Table.Th>
                  <Table.Th w={110}>Campaign</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {items.map((tick) => (
                  <Table.Tr key={tick.id}>
                    <Table.Td>{full(tick.due_at)}</Table.Td>
                    <Table.Td>
                      <OutcomeBadge tick={tick} />
                    </Table.Td>
                    <Table.Td visibleFrom="sm">{tick.detail}</Table.Td>
                    <Table.Td>
                      {tick.campaign !== null && (
                        <Anchor
                          renderRoot={(props) => (
                            <Link
                              to="/teams/$team/campaigns/$campaign"
                              params={{ team, campaign: tick.campaign ?? "" }}
                              {...props}
                            />
                          )}
                        >
                          show
                        </Anchor>
                      )}
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
            {ticks.hasNextPage && (
              <Group justify="center" p="xs">
                <Button
                  variant="default"
                  loading={ticks.isFetchingNextPage}
                  onClick={() => void ticks.fetchNextPage()}
                >
                  Show older ones
                </Button>
              </Group>
            )}
          </Paper>
        );
      }}
    </Loaded>
  );
}
