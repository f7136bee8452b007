import { Code, Paper, Text, Title } from "@mantine/core";
import { Fragment, type ReactElement } from "react";
import { DataTable, type Column } from "#/shared/ui/DataTable";
import { changedText, type Differing } from "./differing";
import { SideMark } from "./SideMark";

interface DifferingTableProps {
  title: string;
  differences: readonly Differing[];
  /** Said when there are none. */
  none: string;
}

/** gateway.shaping.headroom, broken after its dots where it has no room. */
function Path({ path }: { path: string }): ReactElement {
  const [first, ...rest] = path.split(".");
  return (
    <span style={{ overflowWrap: "anywhere" }}>
      {first}
      {rest.map((part, index) => (
        <Fragment key={index}>
          .<wbr />
          {part}
        </Fragment>
      ))}
    </span>
  );
}

const COLUMNS: readonly Column<Differing>[] = [
  { name: "Parameter", cell: ({ path }) => <Path path={path} /> },
  ...(["a", "b"] as const).map((side) => ({
    name: side,
    head: <SideMark side={side} />,
    cell: (row: Differing) => (
      <Code
        block
        p={0}
        bg="transparent"
        style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}
      >
        {changedText(row[side], row[side === "a" ? "b" : "a"])}
      </Code>
    ),
  })),
];

/** Parameters in which two sides differ; the rest is the same. Both sides stand beside each other
 * also on a phone. */
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
        <DataTable columns={COLUMNS} rows={differences} keyOf={({ path }) => path} layout="fixed" />
      )}
    </Paper>
  );
}
