import { Button, Group, Text } from "@mantine/core";
import { IconGitCompare, IconStack2, IconX } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { useTeam } from "#/shared/session/session";
import { count } from "#/shared/units/format";

/** As many as lie over each other, and as an address holds. */
export const MOST_CHOSEN = 60;

interface ChosenRunsProps {
  campaign: string;
  runs: readonly number[];
  metric: string | undefined;
  onClear: () => void;
}

/** What to do with the runs that were ticked. */
export function ChosenRuns({ campaign, runs, metric, onClear }: ChosenRunsProps): ReactElement {
  const team = useTeam();
  const [a, b] = runs;
  return (
    <Group px="sm" pb="sm" gap="sm">
      <Text size="sm">
        {count(runs.length)} chosen{runs.length >= MOST_CHOSEN && ", as many as there can be"}
      </Text>
      <Button
        leftSection={<IconStack2 size={15} />}
        renderRoot={(props) => (
          <Link
            to="/teams/$team/campaigns/$campaign/overlay"
            params={{ team, campaign }}
            search={{ runs: [...runs], metric }}
            {...props}
          />
        )}
      >
        Over each other
      </Button>
      {runs.length === 2 && (
        <Button
          variant="default"
          leftSection={<IconGitCompare size={15} />}
          renderRoot={(props) => (
            <Link to="/teams/$team/compare/runs" params={{ team }} search={{ a, b }} {...props} />
          )}
        >
          Beside each other
        </Button>
      )}
      <Button variant="subtle" leftSection={<IconX size={14} />} onClick={onClear}>
        Choose none
      </Button>
    </Group>
  );
}
