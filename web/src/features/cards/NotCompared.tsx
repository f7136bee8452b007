import { List, Text } from "@mantine/core";
import type { ReactElement } from "react";
import type { Schema } from "#/api/client";
import { runCount } from "#/shared/units/format";

interface NotComparedProps {
  title: string;
  of: readonly Schema<"NotCompared">[];
}

/** Runs of a card that were not compared, and why; nothing where there are none. */
export function NotCompared({ title, of }: NotComparedProps): ReactElement | null {
  if (of.length === 0) return null;
  return (
    <div>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <List size="sm">
        {of.map(({ reason, runs }) => (
          <List.Item key={reason} style={{ overflowWrap: "anywhere" }}>
            {runCount(runs)}: {reason}
          </List.Item>
        ))}
      </List>
    </div>
  );
}
