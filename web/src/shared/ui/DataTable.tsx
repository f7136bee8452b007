import { Table, type MantineBreakpoint } from "@mantine/core";
import type { ReactElement, ReactNode } from "react";

export interface Column<Row> {
  /** Empty over buttons. */
  name: string;
  /** In full, where the name is short. */
  title?: string;
  /** Pixels; the rest is shared by those without. */
  w?: number;
  /** Left out on narrower screens. */
  from?: MantineBreakpoint;
  cell: (row: Row) => ReactNode;
}

interface DataTableProps<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
}

/** Things in rows, with what is known of each in columns. */
export function DataTable<Row>({ columns, rows, keyOf }: DataTableProps<Row>): ReactElement {
  return (
    <Table highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          {columns.map(({ name, title, w, from }) =>
            name === "" ? (
              <Table.Td key={name} w={w} visibleFrom={from} />
            ) : (
              <Table.Th key={title ?? name} title={title} w={w} visibleFrom={from}>
                {name}
              </Table.Th>
            ),
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => (
          <Table.Tr key={keyOf(row)}>
            {columns.map(({ name, title, from, cell }) => (
              <Table.Td key={title ?? name} visibleFrom={from}>
                {cell(row)}
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
