import { Button, Group, Modal, Paper, Table, Text, Title } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState, type ReactElement } from "react";
import { api, type Schema } from "#/api/client";
import { Time } from "#/shared/time/Time";
import { Loaded } from "#/shared/ui/Loaded";
import { Members } from "./Members";
import { TeamForm } from "./TeamForm";

type Team = Schema<"TeamOut">;

/** Every team of the installation. */
export function TeamsTab(): ReactElement {
  const [edited, setEdited] = useState<Team | "new" | null>(null);
  const [membersOf, setMembersOf] = useState<Team | null>(null);
  const teams = api.useQuery("get", "/api/v1/teams", { params: { query: { limit: 500 } } });
  return (
    <section aria-label="Teams">
      <Group justify="space-between" mb="xs">
        <Title order={2}>Teams</Title>
        <Button leftSection={<IconPlus size={15} />} onClick={() => setEdited("new")}>
          New team
        </Button>
      </Group>
      <Loaded query={teams} height={180}>
        {({ items }) => (
          <Paper style={{ overflow: "hidden" }}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Name</Table.Th>
                  <Table.Th w={140} visibleFrom="sm">
                    Since
                  </Table.Th>
                  <Table.Td w={190} />
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {items.map((team) => (
                  <Table.Tr key={team.id}>
                    <Table.Td>
                      {team.name}
                      <Text size="xs" c="dimmed">
                        {team.slug}
                      </Text>
                    </Table.Td>
                    <Table.Td visibleFrom="sm">
                      <Time at={team.created_at} />
                    </Table.Td>
                    <Table.Td>
                      <Group gap={4} justify="flex-end" wrap="nowrap">
                        <Button
                          variant="default"
                          size="compact-xs"
                          onClick={() => setMembersOf(team)}
                        >
                          Members
                        </Button>
                        <Button
                          variant="default"
                          size="compact-xs"
                          aria-label={`Edit ${team.name}`}
                          onClick={() => setEdited(team)}
                        >
                          Edit
                        </Button>
                      </Group>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Paper>
        )}
      </Loaded>
      {edited === "new" && <TeamForm team={null} quota={null} onClose={() => setEdited(null)} />}
      {edited !== null && edited !== "new" && (
        <EditTeam team={edited} onClose={() => setEdited(null)} />
      )}
      <Modal
        opened={membersOf !== null}
        onClose={() => setMembersOf(null)}
        title={membersOf?.name ?? ""}
        size="lg"
      >
        {membersOf !== null && <Members team={membersOf.slug} mayChange />}
      </Modal>
    </section>
  );
}

/** Opens the form once the team's quotas are known. */
function EditTeam({ team, onClose }: { team: Team; onClose: () => void }): ReactElement {
  const quota = api.useQuery("get", "/api/v1/teams/{team}/quota", {
    params: { path: { team: team.slug } },
  });
  if (quota.data !== undefined)
    return <TeamForm team={team} quota={quota.data} onClose={onClose} />;
  return (
    <Modal opened onClose={onClose} title={`Edit ${team.name}`}>
      <Loaded query={quota} height={200}>
        {() => null}
      </Loaded>
    </Modal>
  );
}
