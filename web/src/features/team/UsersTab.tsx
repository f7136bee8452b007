import { Badge, Button, Group, Paper, Text, Title } from "@mantine/core";
import { IconUserPlus } from "@tabler/icons-react";
import { useState, type ReactElement } from "react";
import { api, type Schema } from "#/api/client";
import { MoreButton } from "#/shared/paging/MoreButton";
import { PAGES } from "#/shared/paging/pages";
import { Time } from "#/shared/time/Time";
import { DataTable, type Column } from "#/shared/ui/DataTable";
import { Loaded } from "#/shared/ui/Loaded";
import { UserForm } from "./UserForm";

type User = Schema<"UserOut">;

function waysIn({ has_password: password, single_sign_on: single }: User): string {
  const ways = [password && "password", single && "single sign-on"].filter((way) => way);
  return ways.length === 0 ? "no way in yet" : ways.join(" and ");
}

function columnsOf(onEdit: (user: User) => void): Column<User>[] {
  return [
    {
      name: "Name",
      cell: (user) => (
        <>
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
        </>
      ),
    },
    { name: "Signs in by", from: "sm", cell: waysIn },
    { name: "Since", w: 130, from: "sm", cell: ({ created_at: at }) => <Time at={at} /> },
    {
      name: "",
      w: 80,
      cell: (user) => (
        <Button
          variant="default"
          size="compact-xs"
          aria-label={`Edit ${user.name}`}
          onClick={() => onEdit(user)}
        >
          Edit
        </Button>
      ),
    },
  ];
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
            <DataTable
              columns={columnsOf(setEdited)}
              rows={pages.flatMap(({ items }) => items)}
              keyOf={({ id }) => id}
            />
            <MoreButton of={users} label="Show more" />
          </Paper>
        )}
      </Loaded>
      {edited !== null && (
        <UserForm user={edited === "new" ? null : edited} onClose={() => setEdited(null)} />
      )}
    </section>
  );
}
