import { Badge, Button, Group, Paper, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconKey, IconPlus } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { api, type Schema } from "#/api/client";
import { notifyProblem } from "#/shared/errors/notify";
import { useMay, useMe } from "#/shared/session/session";
import { Time } from "#/shared/time/Time";
import { Confirm } from "#/shared/ui/Confirm";
import { DataTable, type Column } from "#/shared/ui/DataTable";
import { Empty } from "#/shared/ui/Empty";
import { Loaded } from "#/shared/ui/Loaded";
import { MakeToken } from "./MakeToken";
import { SecretOnce } from "./SecretOnce";
import { standing } from "./standing";

type Token = Schema<"TokenOut">;

function Standing(props: { token: Token; onRevoke: (() => void) | null }): ReactElement | null {
  const { token, onRevoke } = props;
  const [now] = useState(() => Date.now());
  const state = standing(token, now);
  if (state !== "active")
    return (
      <Badge variant="dot" color="gray" tt="none">
        {state}
      </Badge>
    );
  if (onRevoke === null) return null;
  return (
    <Button
      variant="light"
      color="red"
      size="compact-xs"
      aria-label={`Revoke ${token.name}`}
      onClick={onRevoke}
    >
      Revoke
    </Button>
  );
}

function columnsOf(revokes: (token: Token) => (() => void) | null): Column<Token>[] {
  const dated = (at: string | null) => (at === null ? "never" : <Time at={at} />);
  return [
    {
      name: "Name",
      cell: ({ name, scope, made_by: by, created_at: at }) => (
        <>
          {name}
          <Text size="xs" c="dimmed">
            {scope}, made by {by ?? "somebody who left"} <Time at={at} />
          </Text>
        </>
      ),
    },
    { name: "Last used", w: 130, from: "sm", cell: ({ last_used_at: at }) => dated(at) },
    { name: "Expires", w: 130, from: "xs", cell: ({ expires_at: at }) => dated(at) },
    {
      name: "",
      w: 120,
      cell: (token) => <Standing token={token} onRevoke={revokes(token)} />,
    },
  ];
}

/** Tokens for programs that use the API in the team's name. */
export function TokensTab({ team }: { team: string }): ReactElement {
  const me = useMe();
  const isAdmin = useMay("admin");
  const queries = useQueryClient();
  const [making, make] = useDisclosure();
  const [secret, setSecret] = useState<string | null>(null);
  const [going, setGoing] = useState<Token | null>(null);
  const tokens = api.useQuery("get", "/api/v1/teams/{team}/tokens", {
    params: { path: { team }, query: { limit: 500 } },
  });
  const revoke = api.useMutation("delete", "/api/v1/teams/{team}/tokens/{token}", {
    onSuccess: async () => {
      setGoing(null);
      await queries.invalidateQueries();
    },
    onError: notifyProblem,
  });
  return (
    <section aria-label="Tokens">
      <Group justify="space-between" mb="xs">
        <Title order={2}>API tokens</Title>
        <Button leftSection={<IconPlus size={15} />} onClick={make.open}>
          New token
        </Button>
      </Group>
      <Loaded query={tokens} height={140}>
        {({ items }) => (
          <Paper style={{ overflow: "hidden" }}>
            {items.length === 0 ? (
              <Empty icon={<IconKey size={36} stroke={1.4} />} title="No tokens">
                A token lets a program, such as a CI job, use the API in this team&apos;s name.
              </Empty>
            ) : (
              <DataTable
                columns={columnsOf((token) =>
                  isAdmin || token.made_by === me.email ? () => setGoing(token) : null,
                )}
                rows={items}
                keyOf={({ id }) => id}
              />
            )}
          </Paper>
        )}
      </Loaded>
      {making && <MakeToken team={team} onClose={make.close} onMade={setSecret} />}
      <SecretOnce title="Your new token" secret={secret} onClose={() => setSecret(null)}>
        Send it as the header Authorization: Bearer ...
      </SecretOnce>
      <Confirm
        opened={going !== null}
        onClose={() => setGoing(null)}
        title={`Revoke ${going?.name ?? ""}?`}
        action="Revoke the token"
        pending={revoke.isPending}
        onConfirm={() => {
          if (going !== null) revoke.mutate({ params: { path: { team, token: going.id } } });
        }}
      >
        Programs that use it are refused at once, and it cannot be brought back.
      </Confirm>
    </section>
  );
}
