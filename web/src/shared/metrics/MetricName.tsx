import { Code, Popover, Stack, Text, UnstyledButton } from "@mantine/core";
import type { ReactElement, ReactNode } from "react";
import { DocsLink } from "#/shared/docs/DocsLink";
import type { Metric } from "./metrics";

const BETTER = { lower: "Lower is better.", higher: "Higher is better." } as const;
const SCOPE = { client: "Of each client", run: "Of the run as a whole" } as const;

interface MetricNameProps {
  metric: Metric;
  /** In place of its title. */
  children?: ReactNode;
}

/** A metric's title; a click tells its formula, source, unit, direction and name. */
export function MetricName({ metric, children }: MetricNameProps): ReactElement {
  const { name, title, unit, scope, better, formula, source } = metric;
  const way = better === null ? "Neither way is better." : BETTER[better];
  return (
    <Popover width={320} position="bottom-start" shadow="md" withinPortal>
      <Popover.Target>
        <UnstyledButton
          fz="inherit"
          style={{ textDecoration: "underline dotted", textUnderlineOffset: 3 }}
        >
          {children ?? title}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap={6}>
          <Text size="sm" fw={600}>
            {title}
          </Text>
          <Text size="sm">{formula}</Text>
          <Text size="xs" c="dimmed">
            {source}
          </Text>
          <Text size="xs" c="dimmed">
            {SCOPE[scope]}
            {unit === "" ? ", dimensionless" : `, in ${unit}`}. {way}
          </Text>
          <Code style={{ overflowWrap: "anywhere" }}>{name}</Code>
          <DocsLink size="xs" page={`reference/metrics.html#${scope}-${name}`}>
            All metrics
          </DocsLink>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
