import { Button, Code, Group, Paper, Select, Stack, Text } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import type { ReactElement } from "react";
import type { Schema } from "#/api/client";
import { whenColumn } from "#/shared/time/whenColumn";
import { DataTable, type Column } from "#/shared/ui/DataTable";
import { Empty } from "#/shared/ui/Empty";

const COLUMNS: readonly Column<Schema<"AuditEntryOut">>[] = [
  whenColumn(230),
  {
    name: "Action",
    w: 180,
    cell: ({ action }) => (
      <Text size="sm" fw={550}>
        {action}
      </Text>
    ),
  },
  {
    name: "By",
    w: 200,
    cell: ({ by, token, address }) => (
      <div style={{ overflowWrap: "anywhere" }}>
        {by ?? "the platform"}
        <Text size="xs" c="dimmed">
          {[token !== null && `token ${token}`, address].filter((part) => part).join(", ")}
        </Text>
      </div>
    ),
  },
  {
    name: "Detail",
    from: "md",
    cell: ({ detail }) =>
      Object.keys(detail).length > 0 && (
        <Code bg="transparent" style={{ overflowWrap: "anywhere" }}>
          {JSON.stringify(detail)}
        </Code>
      ),
  },
];

interface AuditProps {
  entries: readonly Schema<"AuditEntryOut">[];
  /** Nouns that the list can be kept to. */
  nouns: readonly string[];
  noun: string | undefined;
  onNoun: (noun: string | undefined) => void;
  /** null: there are no older ones. */
  onMore: (() => void) | null;
  pending: boolean;
}

/** Who did what, newest first. */
export function AuditTable({
  entries,
  nouns,
  noun,
  onNoun,
  onMore,
  pending,
}: AuditProps): ReactElement {
  return (
    <Stack gap="xs">
      <Select
        aria-label="Only actions on"
        placeholder="Everything"
        w={200}
        clearable
        data={[...nouns]}
        value={noun ?? null}
        onChange={(next) => onNoun(next ?? undefined)}
      />
      <Paper style={{ overflow: "hidden" }}>
        {entries.length === 0 ? (
          <Empty icon={<IconHistory size={36} stroke={1.4} />} title="Nothing was done yet">
            Actions that change something are listed here with who took them.
          </Empty>
        ) : (
          <DataTable columns={COLUMNS} rows={entries} keyOf={({ id }) => id} />
        )}
      </Paper>
      {onMore !== null && (
        <Group justify="center">
          <Button variant="default" loading={pending} onClick={onMore}>
            Show older ones
          </Button>
        </Group>
      )}
    </Stack>
  );
}
