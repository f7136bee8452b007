import { Paper, Table, Text, Title } from "@mantine/core";
import { IconServer2 } from "@tabler/icons-react";
import type { ReactElement } from "react";
import { api } from "#/api/client";
import { Time } from "#/shared/time/Time";
import { Empty } from "#/shared/ui/Empty";
import { Loaded } from "#/shared/ui/Loaded";

/** What carries runs out. */
export function WorkersTab(): ReactElement {
  const workers = api.useQuery("get", "/api/v1/workers", undefined, { refetchInterval: 5_000 });
  return (
    <section aria-label="Workers">
      <Title order={2} mb="xs">
        Workers
      </Title>
      <Loaded query={workers} height={140}>
        {(found) => (
          <Paper style={{ overflow: "hidden" }}>
            {found.length === 0 ? (
              <Empty icon={<IconServer2 size={36} stroke={1.4} />} title="No workers are up">
                Runs wait until one is: start it with <code>weir worker</code>.
              </Empty>
            ) : (
              <Table>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Name</Table.Th>
                    <Table.Th w={130} visibleFrom="sm">
                      Clock
                    </Table.Th>
                    <Table.Th w={60}>Jobs</Table.Th>
                    <Table.Th w={100}>Last seen</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {found.map((worker) => (
                    <Table.Tr key={worker.id}>
                      <Table.Td style={{ overflowWrap: "anywhere" }}>
                        {worker.id}
                        {worker.problem && (
                          <Text size="sm" c="dimmed">
                            {worker.problem}
                          </Text>
                        )}
                      </Table.Td>
                      <Table.Td visibleFrom="sm">{worker.clocks.join(", ")}</Table.Td>
                      <Table.Td>{worker.jobs}</Table.Td>
                      <Table.Td>
                        <Time at={worker.seen_at} />
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            )}
          </Paper>
        )}
      </Loaded>
    </section>
  );
}
