import { Badge, Button, Group, Paper, Table, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconKey, IconPlus } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { api, type Schema } from "#/api/client";
import { notifyProblem } from "#/shared/errors/notify";
import { useMay, useMe } from "#/shared/session/session";
import { Time } from "#/shared/time/Time";
import { Confirm } from "#/shared/ui/Confirm";
import { Empty } from "#/shared/ui/Empty";
import { Loaded } from "#/shared/ui/Loaded";
import { MakeToken } from "./MakeToken";
import { SecretOnce } from "./SecretOnce";
import { standing } from "./standing";

type Token = Schema<"TokenOut">;

function TokenRow({
  token,
  onRevoke,
}: {
  token: Token;
  onRevoke: (() => void) | null;
}): ReactElement {
  const [now] = useState(() => Date.now());
  const state = standing(token, now);
  return (
    <Table.Tr>
      <Table.Td>
        {token.name}
        <Text size="xs" c="dimmed">
          {token.scope}, made by {token.made_by ?? "somebody who left"}{" "}
          <Time at={token.created_at} />
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">
        {token.last_used_at === null ? "never" : <Time at={token.last_used_at} />}
      </Table.Td>
      <Table.Td visibleFrom="xs">
        {token.expires_at === null ? "never" : <Time at={token.expires_at} />}
      </Table.Td>
      <Table.Td>
        {state !== "active" ? (
          <Badge variant="dot" color="gray" tt="none">
            {state}
          </Badge>
        ) : (
          onRevoke !== null && (
            <Button
              variant="light"
              color="red"
              size="compact-xs"
              aria-label={`Revoke ${token.name}`}
              onClick={onRevoke}
            >
              Revoke
            </Button>
          )
        )}
      </Table.Td>
    </Table.Tr>
  );
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
              <Table>
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Name</Table.Th>
                    <Table.Th w={130} visibleFrom="sm">
                      Last used
                    </Table.Th>
                    <Table.Th w={130} visibleFrom="xs">
                      Expires
                    </Table.Th>
                    <Table.Td w={96} />
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  {items.map((token) => (
                    <TokenRow
                      key={token.id}
                      token={token}
                      onRevoke={
                        isAdmin || token.made_by === me.email ? () => setGoing(token) : null
                      }
                    />
                  ))}
                </Table.Tbody>
              </Table>
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
        deed="Revoke the token"
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
