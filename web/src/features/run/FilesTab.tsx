import { Anchor, Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import type { Schema } from "#/api/client";
import { waysInQuery } from "#/shared/session/session";
import { CodeBlock } from "#/shared/ui/CodeBlock";
import { DataTable, type Column } from "#/shared/ui/DataTable";
import { DocsLink } from "#/shared/docs/DocsLink";
import { Loaded } from "#/shared/ui/Loaded";
import { quantity } from "#/shared/units/format";
import { LogPanel } from "./LogPanel";
import { hasEnded, isFinished, useArtifacts, type Run } from "./queries";
import { archivePath, fetchCommand, replayCommand } from "./replay";

function isText(type: string): boolean {
  return type.startsWith("text/") || type.includes("json");
}

const COLUMNS: readonly Column<Schema<"ArtifactOut">>[] = [
  {
    name: "Name",
    cell: ({ name, url }) => (
      <Anchor href={url} download size="sm" style={{ overflowWrap: "anywhere" }}>
        {name}
      </Anchor>
    ),
  },
  { name: "Size", w: 90, align: "right", cell: ({ size_bytes: size }) => quantity(size, "bytes") },
  {
    name: "",
    w: 64,
    align: "right",
    cell: ({ name, media_type: type, url }) =>
      isText(type) && (
        <Anchor
          href={`${url}?inline=true`}
          target="_blank"
          rel="noopener"
          size="sm"
          aria-label={`Look at ${name}`}
        >
          look
        </Anchor>
      ),
  },
];

function Listed({ run }: { run: Run }): ReactElement {
  const artifacts = useArtifacts(run.id);
  const { data: ways } = useQuery(waysInQuery);
  return (
    <Loaded query={artifacts} height={260}>
      {(files) => {
        const total = files.reduce((sum, { size_bytes: size }) => sum + size, 0);
        return (
          <>
            {isFinished(run) && files.length > 0 && (
              <Paper p="md">
                <Title order={2}>Replay</Title>
                <Text size="sm" c="dimmed" mb="xs">
                  Fetches the run&apos;s files, carries it out again and compares every file byte by
                  byte.
                </Text>
                <CodeBlock
                  label="Copy both commands"
                  text={[
                    fetchCommand(run.id, window.location.origin, ways?.auth !== "none"),
                    replayCommand(run.id),
                  ].join("\n")}
                />
              </Paper>
            )}
            <Paper p="md">
              <Group justify="space-between" mb="xs">
                <Group gap="sm">
                  <Title order={2}>Files</Title>
                  <DocsLink size="sm" page="run-directory.html">
                    What they hold
                  </DocsLink>
                </Group>
                <Button
                  component="a"
                  href={archivePath(run.id)}
                  download
                  variant="default"
                  leftSection={<IconDownload size={15} />}
                >
                  All of them, {quantity(total, "bytes")}
                </Button>
              </Group>
              <DataTable columns={COLUMNS} rows={files} keyOf={({ name }) => name} />
            </Paper>
          </>
        );
      }}
    </Loaded>
  );
}

/** The run's directory, its log, and how to carry it out again. */
export function FilesTab({ run }: { run: Run }): ReactElement {
  if (!hasEnded(run) || run.state === "cancelled")
    return <Text c="dimmed">This run is {run.state}: it has no files.</Text>;
  return (
    <Stack gap="md">
      <Listed run={run} />
      <LogPanel run={run} />
    </Stack>
  );
}
