import { ActionIcon, Group, Text, Tooltip } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import type { ReactElement } from "react";
import type { Schema } from "#/api/client";
import { beside, useReplicates } from "./replicates";

interface ReplicateStepsProps {
  run: Pick<Schema<"RunDetail">, "id" | "levels" | "replicate" | "campaign_id">;
  onStep: (run: number) => void;
}

/** Which replicate a run is, and steps to those before and after it. */
export function ReplicateSteps({ run, onStep }: ReplicateStepsProps): ReactElement {
  const { data } = useReplicates(run);
  const { before, after } = beside(data?.items ?? [], run.id);
  const steps = [
    { name: "Previous replicate", to: before, icon: <IconChevronLeft size={14} /> },
    { name: "Next replicate", to: after, icon: <IconChevronRight size={14} /> },
  ] as const;
  const [back, on] = steps.map(({ name, to, icon }) => (
    <Tooltip key={name} label={name}>
      <ActionIcon
        size="sm"
        variant="subtle"
        aria-label={name}
        disabled={to === undefined}
        onClick={() => to !== undefined && onStep(to.id)}
      >
        {icon}
      </ActionIcon>
    </Tooltip>
  ));
  return (
    <Group gap={2} wrap="nowrap" component="span">
      {back}
      <Text span size="sm">
        {run.replicate + 1}
        {data !== undefined && ` of ${data.items.length}`}
      </Text>
      {on}
    </Group>
  );
}
