import { Badge, Button, Group, Paper, Table, Text, Title } from "@mantine/core";
import { IconUserPlus } from "@tabler/icons-react";
import { useState, type ReactElement } from "react";
import { api, type Schema } from "#/api/client";
import { PAGES } from "#/shared/paging/pages";
import { Time } from "#/shared/time/Time";
import { Loaded } from "#/shared/ui/Loaded";
import { UserForm } from "./UserForm";

type User = Schema<"UserOut">;

function waysIn({ has_password: password, single_sign_on: single }: User): string {
  const ways = [password && "password", single && "single sign-on"].filter((way) => way);
  return ways.length === 0 ? "no way in yet" : ways.join(" and ");
}

/** Everybody who has an account. */
export function UsersTab(): ReactElement {
  const [edited, setEdited] = useState<User | "new" | null>(null);
  const users = api.useInfiniteQuery(
    "get",
    "/api/v1/users",
    { params: { query: { limit: 100 } } },
    PAGES,
  );
  return (
    <section aria-label="Users">
      <Group justify="space-between" mb="xs">
        <Title order={2}>Users</Title>
        <Button leftSection={<IconUserPlus size={15} />} onClick={() => setEdited("new")}>
          New user
        </Button>
      </Group>
      <Loaded query={users} height={180}>
        {({ pages }) => (
          <Paper style={{ overflow: "hidden" }}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Name</Table.Th>
                  <Table.Th visibleFrom="sm">Signs in by</Table.Th>
                  <Table.Th w={130} visibleFrom="sm">
                    Since
                  </Table.Th>
                  <Table.Td w={80} />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {pages
                  .flatMap(({ items }) => items)
                  .map((user) => (
                    <Table.Tr key={user.id}>
                      <Table.Td>
                        <Group gap={6}>
                          {user.name}
                          {user.is_admin && (
                            <Badge variant="light" tt="none">
                              administrator
                            </Badge>
                          )}
                          {user.disabled && (
                            <Badge variant="dot" color="gray" tt="none">
                              disabled
                            </Badge>
                          )}
                        </Group>
                        <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
                          {user.email}
                        </Text>
                      </Table.Td>
                      <Table.Td visibleFrom="sm">{waysIn(user)}</Table.Td>
                      <Table.Td visibleFrom="sm">
                        <Time at={user.created_at} />
                      </Table.Td>
                      <Table.Td>
                        <Button
                          variant="default"
                          size="compact-xs"
                          aria-label={`Edit ${user.name}`}
                          onClick={() => setEdited(user)}
                        >
                          Edit
                        </Button>
                      </Table.Td>
                    </Table.Tr>
                  ))}
              </Table.Tbody>
            </Table>
            {users.hasNextPage && (
              <Group justify="center" p="xs">
                <Button
                  variant="default"
                  loading={users.isFetchingNextPage}
                  onClick={() => void users.fetchNextPage()}
                >
                  Show more
                </Button>
              </Group>
            )}
          </Paper>
        )}
      </Loaded>
      {edited !== null && (
        <UserForm user={edited === "new" ? null : edited} onClose={() => setEdited(null)} />
      )}
    </section>
  );
}
