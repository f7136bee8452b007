import { Code, Paper, Table, Text, Title } from "@mantine/core";
import type { ReactElement } from "react";
import { valueText, type Differing } from "./differing";
import { SideMark } from "./SideMark";

interface DifferingTableProps {
  title: string;
  differences: readonly Differing[];
  /** Said when there are none. */
  none: string;
}

/** Parameters in which two sides differ; the rest is the same. */
export function DifferingTable({ title, differences, none }: DifferingTableProps): ReactElement {
  return (
    <Paper p="md">
      <Title order={2} mb="xs">
        {title}
      </Title>
      {differences.length === 0 ? (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      ) : (
        <Table.ScrollContainer minWidth={560}>
          <Table layout="fixed">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Parameter</Table.Th>
                <Table.Th>
                  <SideMark side="a" />
                </Table.Th>
                <Table.Th>
                  <SideMark side="b" />
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {differences.map(({ path, a, b }) => (
                <Table.Tr key={path}>
                  <Table.Td style={{ overflowWrap: "anywhere" }}>{path}</Table.Td>
                  {[a, b].map((value, index) => (
                    <Table.Td key={index === 0 ? "a" : "b"}>
                      <Code style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
                        {valueText(value)}
                      </Code>
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </Paper>
  );
}
