import { Group, Paper, Stack, Text, Title } from "@mantine/core";
import { IconCircleCheck, IconCircleDashed, IconCircleX } from "@tabler/icons-react";
import type { ComponentType, ReactElement } from "react";
import { DocsLink } from "#/shared/docs/DocsLink";
import { tally, type Finding } from "./finding";

const LOOKS: Record<string, [ComponentType<{ size?: number; stroke?: number }>, string]> = {
  supported: [IconCircleCheck, "--weir-succeeded"],
  contradicted: [IconCircleX, "--weir-failed"],
};

/** What the paper found, judged by what was measured here. */
export function Findings({ findings }: { findings: readonly Finding[] }): ReactElement {
  return (
    <Paper p="md">
      <Group gap="sm" mb="sm">
        <Title order={2}>The paper&apos;s findings</Title>
        <DocsLink size="sm" page="findings.html">
          How they are judged
        </DocsLink>
      </Group>
      <Stack gap="sm">
        {findings.map((finding) => {
          const [Icon, colour] = LOOKS[finding.verdict] ?? [IconCircleDashed, "--weir-line"];
          return (
            <Group key={finding.statement} gap="sm" wrap="nowrap" align="flex-start">
              <Text component="span" c={`var(${colour})`} lh={0} pt={1}>
                <Icon size={18} stroke={1.8} />
              </Text>
              <div>
                <Text size="sm">{finding.statement}</Text>
                <Text size="xs" c="dimmed">
                  {finding.verdict}
                  {finding.comparisons.length > 0 && ` – ${tally(finding)}`}
                </Text>
              </div>
            </Group>
          );
        })}
      </Stack>
    </Paper>
  );
}
