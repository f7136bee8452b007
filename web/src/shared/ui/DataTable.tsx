import { Table, type MantineBreakpoint, type MantineSize } from "@mantine/core";
import { Fragment, type ReactElement, type ReactNode } from "react";

export interface Column<Row> {
  /** Empty over buttons and marks. */
  name: string;
  /** In place of the name, where that is more than a word. */
  head?: ReactNode;
  /** In full, where the name is short. */
  title?: string;
  /** Pixels; the rest is shared by those without. */
  w?: number;
  align?: "right";
  /** Left out on narrower screens. */
  from?: MantineBreakpoint;
  /** Left out on screens that are not narrower. */
  until?: MantineBreakpoint;
  cell: (row: Row) => ReactNode;
}

interface DataTableProps<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  /** What stands below a row over its whole width; null: nothing. */
  below?: (row: Row) => ReactNode;
  /** Pixels, below which it scrolls sideways. */
  minWidth?: number;
  /** Columns without a width are equally wide, whatever is in them. */
  layout?: "auto" | "fixed";
  verticalSpacing?: MantineSize | number;
}

/** Things in rows, with what is known of each in columns. */
export function DataTable<Row>(props: DataTableProps<Row>): ReactElement {
  const { columns, rows, keyOf, below, minWidth, layout, verticalSpacing } = props;
  const table = (
    <Table highlightOnHover layout={layout} verticalSpacing={verticalSpacing}>
      <Table.Thead>
        <Table.Tr>
          {columns.map(({ name, head, title, w, align, from, until }) =>
            name === "" ? (
              <Table.Td key={name} w={w} visibleFrom={from} hiddenFrom={until} />
            ) : (
              <Table.Th
                key={title ?? name}
                title={title}
                w={w}
                ta={align}
                visibleFrom={from}
                hiddenFrom={until}
              >
                {head ?? name}
              </Table.Th>
            ),
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map((row) => {
          const more = below?.(row) ?? null;
          return (
            <Fragment key={keyOf(row)}>
              <Table.Tr>
                {columns.map(({ name, title, align, from, until, cell }) => (
                  <Table.Td key={title ?? name} ta={align} visibleFrom={from} hiddenFrom={until}>
                    {cell(row)}
                  </Table.Td>
                ))}
              </Table.Tr>
              {more !== null && (
                <Table.Tr>
                  <Table.Td colSpan={columns.length}>{more}</Table.Td>
                </Table.Tr>
              )}
            </Fragment>
          );
        })}
      </Table.Tbody>
    </Table>
  );
  if (minWidth === undefined) return table;
  return <Table.ScrollContainer minWidth={minWidth}>{table}</Table.ScrollContainer>;
}
