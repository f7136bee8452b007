import { Button, Group, Modal, Paper, Text, Title } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState, type ReactElement } from "react";
import { api, type Schema } from "#/api/client";
import { Time } from "#/shared/time/Time";
import { DataTable, type Column } from "#/shared/ui/DataTable";
import { Loaded } from "#/shared/ui/Loaded";
import { Members } from "./Members";
import { TeamForm } from "./TeamForm";

type Team = Schema<"TeamOut">;

function columnsOf(
  onMembers: (team: Team) => void,
  onEdit: (team: Team) => void,
): readonly Column<Team>[] {
  return [
    {
      name: "Name",
      cell: ({ name, slug }) => (
        <>
          {name}
          <Text size="xs" c="dimmed">
            {slug}
          </Text>
        </>
      ),
    },
    { name: "Since", w: 140, from: "sm", cell: ({ created_at: at }) => <Time at={at} /> },
    {
      name: "",
      w: 190,
      cell: (team) => (
        <Group gap={4} justify="flex-end" wrap="nowrap">
          <Button
            variant="default"
            size="compact-xs"
            aria-label={`Members of ${team.name}`}
            onClick={() => onMembers(team)}
          >
            Members
          </Button>
          <Button
            variant="default"
            size="compact-xs"
            aria-label={`Edit ${team.name}`}
            onClick={() => onEdit(team)}
          >
            Edit
          </Button>
        </Group>
      ),
    },
  ];
}

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
            <DataTable
              columns={columnsOf(setMembersOf, setEdited)}
              rows={items}
              keyOf={({ id }) => id}
            />
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
