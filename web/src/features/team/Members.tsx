import { ActionIcon, Button, Group, Paper, Text, TextInput, Title, Tooltip } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconUserMinus, IconUserPlus } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { api, type Schema } from "#/api/client";
import { useProblemOf } from "#/shared/errors/field";
import { notifyProblem } from "#/shared/errors/notify";
import { useMe, type Role } from "#/shared/session/session";
import { Confirm } from "#/shared/ui/Confirm";
import { DataTable, type Column } from "#/shared/ui/DataTable";
import { FormModal } from "#/shared/ui/FormModal";
import { Loaded } from "#/shared/ui/Loaded";
import { RoleSelect } from "./RoleSelect";

type Member = Schema<"MemberOut">;

interface MembersProps {
  team: string;
  mayChange: boolean;
}

function AddMember({ team, onClose }: { team: string; onClose: () => void }): ReactElement {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("submit");
  const queries = useQueryClient();
  const add = api.useMutation("post", "/api/v1/teams/{team}/members", {
    onSuccess: async () => {
      await queries.invalidateQueries();
      onClose();
    },
  });
  const problemOf = useProblemOf(add.error);
  return (
    <FormModal
      opened
      onClose={onClose}
      title="Add a member"
      action="Add"
      onSubmit={() => add.mutate({ params: { path: { team } }, body: { email, role } })}
      pending={add.isPending}
      error={add.error}
    >
      <TextInput
        label="E-mail"
        description="Of somebody who has an account here."
        type="email"
        required
        data-autofocus
        value={email}
        error={problemOf("email")}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <RoleSelect label="Role" value={role} onChange={setRole} />
    </FormModal>
  );
}

/** Who is in a team, with which role. */
export function Members({ team, mayChange }: MembersProps): ReactElement {
  const me = useMe();
  const queries = useQueryClient();
  const [adding, add] = useDisclosure();
  const [leaving, setLeaving] = useState<Member | null>(null);
  const members = api.useQuery("get", "/api/v1/teams/{team}/members", {
    params: { path: { team }, query: { limit: 500 } },
  });
  const settled = {
    onSuccess: async () => {
      setLeaving(null);
      await queries.invalidateQueries();
    },
    onError: notifyProblem,
  };
  const change = api.useMutation("patch", "/api/v1/teams/{team}/members/{user}", settled);
  const remove = api.useMutation("delete", "/api/v1/teams/{team}/members/{user}", settled);
  const columns: Column<Member>[] = [
    {
      name: "Name",
      cell: (member) => (
        <>
          {member.name}
          {member.user_id === me.id && (
            <Text span c="dimmed" size="sm">
              {" "}
              (you)
            </Text>
          )}
          <Text size="xs" c="dimmed" style={{ overflowWrap: "anywhere" }}>
            {member.email}
          </Text>
        </>
      ),
    },
    {
      name: "Role",
      w: 130,
      cell: (member) =>
        mayChange ? (
          <RoleSelect
            size="xs"
            aria-label={`Role of ${member.name}`}
            value={member.role}
            disabled={change.isPending}
            onChange={(role) =>
              change.mutate({ params: { path: { team, user: member.user_id } }, body: { role } })
            }
          />
        ) : (
          member.role
        ),
    },
  ];
  if (mayChange)
    columns.push({
      name: "",
      w: 48,
      cell: (member) => (
        <Tooltip label="Remove from the team">
          <ActionIcon aria-label={`Remove ${member.name}`} onClick={() => setLeaving(member)}>
            <IconUserMinus size={16} />
          </ActionIcon>
        </Tooltip>
      ),
    });
  return (
    <section aria-label="Members">
      <Group justify="space-between" mb="xs">
        <Title order={2}>Members</Title>
        {mayChange && (
          <Button leftSection={<IconUserPlus size={15} />} onClick={add.open}>
            Add a member
          </Button>
        )}
      </Group>
      <Loaded query={members} height={140}>
        {({ items }) => (
          <Paper style={{ overflow: "hidden" }}>
            <DataTable columns={columns} rows={items} keyOf={({ user_id: id }) => id} />
          </Paper>
        )}
      </Loaded>
      {adding && <AddMember team={team} onClose={add.close} />}
      <Confirm
        opened={leaving !== null}
        onClose={() => setLeaving(null)}
        title={`Remove ${leaving?.name ?? ""} from the team?`}
        action="Remove from the team"
        pending={remove.isPending}
        onConfirm={() => {
          if (leaving !== null)
            remove.mutate({ params: { path: { team, user: leaving.user_id } } });
        }}
      >
        {leaving?.user_id === me.id
          ? "You will not see this team's work any more."
          : "They will not see this team's work any more. What they submitted stays."}
      </Confirm>
    </section>
  );
}
