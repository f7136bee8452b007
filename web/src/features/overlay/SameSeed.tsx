import { Button, Group, Text } from "@mantine/core";
import { useState, type ReactElement } from "react";
import { levelText } from "#/shared/levels/text";
import { Beside } from "#/shared/runs/Beside";
import { nearestOf } from "./chosen";
import type { Run } from "./queries";

/** The runs of a run's seed, to lay beside it: of many, those first that differ in least. */
export function SameSeed({ run, others }: { run: Run; others: readonly Run[] }): ReactElement {
  const [all, setAll] = useState(false);
  const nearest = nearestOf(run, others);
  return (
    <Text size="sm" component="div">
      Beside the run of the same seed, and where they part, at{" "}
      <Group gap="xs" component="span" display="inline-flex">
        {(all ? others : nearest).map(({ id, levels }) => (
          <Beside key={id} a={run.id} b={id}>
            {Object.values(levels).map(levelText).join(" · ")}
          </Beside>
        ))}
        {!all && nearest.length < others.length && (
          <Button size="compact-xs" variant="subtle" onClick={() => setAll(true)}>
            All {others.length}
          </Button>
        )}
      </Group>
    </Text>
  );
}
