import { Select, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { useMe, useTeam } from "#/shared/session/session";

/** The team whose work is shown; a choice only for those in several. */
export function TeamSwitcher(): ReactElement | null {
  const { teams } = useMe();
  const team = useTeam();
  const navigate = useNavigate();
  if (teams.length === 0) return null;
  if (teams.length === 1)
    return (
      <Text size="sm" c="dimmed" truncate>
        {teams[0]?.name}
      </Text>
    );
  return (
    <Select
      aria-label="Team"
      w={180}
      value={team === "" ? null : team}
      placeholder="Team"
      allowDeselect={false}
      data={teams.map(({ slug, name }) => ({ value: slug, label: name }))}
      onChange={(slug) => {
        if (slug !== null) void navigate({ to: "/teams/$team/campaigns", params: { team: slug } });
      }}
    />
  );
}
