import { Button, Code, Group, Paper, Select, Stack, Table, Text } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import type { ReactElement } from "react";
import type { Schema } from "#/api/client";
import { full } from "#/shared/time/format";
import { Empty } from "#/shared/ui/Empty";

interface AuditProps {
  deeds: readonly Schema<"Deed">[];
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
  deeds,
  nouns,
  noun,
  onNoun,
  onMore,
  pending,
}: AuditProps): ReactElement {
  return (
    <Stack gap="xs">
      <Select
        aria-label="Only deeds about"
        placeholder="Everything"
        w={200}
        clearable
        data={[...nouns]}
        value={noun ?? null}
        onChange={(next) => onNoun(next ?? undefined)}
      />
      <Paper style={{ overflow: "hidden" }}>
        {deeds.length === 0 ? (
          <Empty icon={<IconHistory size={36} stroke={1.4} />} title="Nothing was done yet">
            Deeds that change something are listed here with who did them.
          </Empty>
        ) : (
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th w={230} visibleFrom="sm">
                  When
                </Table.Th>
                <Table.Th w={180}>Deed</Table.Th>
                <Table.Th>By</Table.Th>
                <Table.Th visibleFrom="md">Detail</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {deeds.map((deed) => (
                <Table.Tr key={deed.id}>
                  <Table.Td visibleFrom="sm">{full(deed.at)}</Table.Td>
                  <Table.Td>
                    <Text size="sm" fw={550}>
                      {deed.action}
                    </Text>
                    <Text size="xs" c="dimmed" hiddenFrom="sm">
                      {full(deed.at)}
                    </Text>
                  </Table.Td>
                  <Table.Td style={{ overflowWrap: "anywhere" }}>
                    {deed.by ?? "the platform"}
                    <Text size="xs" c="dimmed">
                      {[deed.token !== null && `token ${deed.token}`, deed.address]
                        .filter((part) => part)
                        .join(", ")}
                    </Text>
                  </Table.Td>
                  <Table.Td visibleFrom="md">
                    {Object.keys(deed.detail).length > 0 && (
                      <Code bg="transparent" style={{ overflowWrap: "anywhere" }}>
                        {JSON.stringify(deed.detail)}
                      </Code>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
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
