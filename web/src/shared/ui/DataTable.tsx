import { Table, Text, type MantineBreakpoint, type MantineSize } from "@mantine/core";
import { Fragment, type ReactElement, type ReactNode } from "react";
import classes from "./dataTable.module.css";
import { useTooNarrow } from "./useNarrow";

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
  /** On narrower screens, below what is in the first column: the cell, or what says the same there. */
  folded?: true | ((row: Row) => ReactNode);
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

function classOf({ from, until }: Pick<Column<never>, "from" | "until">): string {
  const shown = [from && `mantine-visible-from-${from}`, until && `mantine-hidden-from-${until}`];
  return [classes.cell, ...shown].filter((each) => each !== undefined).join(" ");
}

/** Columns for which there is room; the first one holds those that fold into it. */
function fitting<Row>(
  columns: readonly Column<Row>[],
  tooNarrow: ReadonlySet<MantineBreakpoint>,
): readonly Column<Row>[] {
  const folds = ({ folded, from }: Column<Row>): boolean =>
    folded !== undefined && from !== undefined && tooNarrow.has(from);
  const within = columns.filter(folds);
  const [first, ...others] = columns.filter((each) => !folds(each));
  if (first === undefined || within.length === 0) return columns;
  const cell = (row: Row): ReactElement => (
    <>
      {first.cell(row)}
      {within.map(({ name, folded, cell: own }, place) => (
        <Text key={`${place} ${name}`} size="sm" component="div" className={classes.folded}>
          {folded === true || folded === undefined ? own(row) : folded(row)}
        </Text>
      ))}
    </>
  );
  return [{ ...first, cell }, ...others];
}

/** Things in rows, with what is known of each in columns. */
export function DataTable<Row>(props: DataTableProps<Row>): ReactElement {
  const { rows, keyOf, below, minWidth, layout, verticalSpacing } = props;
  const columns = fitting(props.columns, useTooNarrow());
  const parts = columns.map(({ align, ...column }) => ({
    ...column,
    id: column.title ?? column.name,
    className: classOf(column),
    style: { textAlign: align },
  }));
  const table = (
    <Table layout={layout} verticalSpacing={verticalSpacing}>
      <thead>
        <tr className={classes.row}>
          {parts.map(({ id, name, head, title, w, className, style }) =>
            name === "" ? (
              <td key={id} className={className} style={{ width: w }} />
            ) : (
              <th
                key={id}
                scope="col"
                title={title}
                className={className}
                style={{ ...style, width: w }}
              >
                {head ?? name}
              </th>
            ),
          )}
        </tr>
      </thead>
      <tbody className={classes.rows}>
        {rows.map((row) => {
          const more = below?.(row) ?? null;
          return (
            <Fragment key={keyOf(row)}>
              <tr className={classes.row}>
                {parts.map(({ id, className, style, cell }) => (
                  <td key={id} className={className} style={style}>
                    {cell(row)}
                  </td>
                ))}
              </tr>
              {more !== null && (
                <tr className={classes.row}>
                  <td colSpan={columns.length} className={classes.cell}>
                    {more}
                  </td>
                </tr>
              )}
            </Fragment>
          );
        })}
      </tbody>
    </Table>
  );
  if (minWidth === undefined) return table;
  return <Table.ScrollContainer minWidth={minWidth}>{table}</Table.ScrollContainer>;
}
