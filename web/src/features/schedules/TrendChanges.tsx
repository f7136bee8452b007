import { Anchor, Group, Stack, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { minute } from "#/shared/time/format";
import { Subjects } from "#/shared/ui/Subjects";
import { BEGINS, type Trend } from "./trend";

/** The nights with which something began, newest first, and the versions that they ran. */
export function TrendChanges({ team, trend }: { team: string; trend: Trend }): ReactElement | null {
  const changes = trend.points.filter(({ mark }) => mark !== "").toReversed();
  if (changes.length === 0) return null;
  return (
    <Stack gap={4} mt="xs">
      {changes.map(({ at, campaign, mark, subjects }) => (
        <Group key={campaign} gap="xs">
          <Anchor
            size="sm"
            renderRoot={(props) => (
              <Link to="/teams/$team/campaigns/$campaign" params={{ team, campaign }} {...props} />
            )}
          >
            {minute(at)}
          </Anchor>
          <Text size="sm">{BEGINS[mark]}</Text>
          <Subjects of={subjects} />
        </Group>
      ))}
    </Stack>
  );
}
