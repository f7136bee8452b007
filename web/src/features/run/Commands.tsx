import { Group, Paper, SegmentedControl, Title } from "@mantine/core";
import { useState, type ReactElement } from "react";
import { CodeBlock } from "#/shared/ui/CodeBlock";

/** The commands that set up the cell, by the machine in it that they ran on. */
export function Commands({
  commands,
}: {
  commands: readonly Record<string, unknown>[];
}): ReactElement {
  const hosts = [...new Set(commands.map(({ host }) => String(host)))];
  const [chosen, setChosen] = useState("all");
  const shown = commands.filter(({ host }) => chosen === "all" || host === chosen);
  const width = Math.max(...hosts.map((host) => host.length));
  const lines = shown.map(({ host, line }) =>
    chosen === "all" ? `${String(host).padEnd(width)}  ${String(line)}` : String(line),
  );
  return (
    <Paper p="md">
      <Group justify="space-between" mb="xs">
        <Title order={2}>Commands</Title>
        <SegmentedControl
          size="xs"
          aria-label="Where"
          value={chosen}
          onChange={setChosen}
          data={["all", ...hosts]}
        />
      </Group>
      <CodeBlock label="Copy the commands" text={lines.join("\n")} />
    </Paper>
  );
}
