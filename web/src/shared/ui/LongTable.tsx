import { memo, useEffect, useRef, type ReactElement, type ReactNode } from "react";
import classes from "./longTable.module.css";
import { useVisibleRows, type Visible } from "./useVisibleRows";

export interface LongColumn<Row> {
  id: string;
  head: ReactNode;
  /** In full, where the head is short. */
  title?: string;
  /** Pixels. */
  w: number;
  align?: "right";
  /** Whether the rows are sorted by it. */
  sorted?: "ascending" | "descending" | undefined;
  cell: (row: Row) => ReactNode;
}

interface LongTableProps<Row> {
  label: string;
  /** Memoised: new ones render every row anew. */
  columns: readonly LongColumn<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string | number;
  isMarked: (row: Row) => boolean;
  /** The last rows come into view. */
  onEnd: () => void;
  /** Which rows are in view; the same at every render. */
  onView?: (rows: Visible) => void;
}

const ROW_PX = 34;
/** Rows before the end at which more are wanted: a second of fast scrolling. */
const AHEAD = 150;

interface LineProps<Row> {
  row: Row;
  columns: readonly LongColumn<Row>[];
  marked: boolean;
}

function Line<Row>({ row, columns, marked }: LineProps<Row>): ReactElement {
  return (
    <tr className={classes.row} aria-selected={marked} style={{ height: ROW_PX }}>
      {columns.map(({ id, align, cell }) => (
        <td key={id} style={{ textAlign: align }}>
          {cell(row)}
        </td>
      ))}
    </tr>
  );
}
const SameLine = memo(Line) as typeof Line;

function Gap({ rows }: { rows: number }): ReactElement | null {
  return rows === 0 ? null : <tr aria-hidden style={{ height: rows * ROW_PX }} />;
}

/** Rows of one height, of which only those in view are rendered: 30,000 scroll as 30 do. */
export function LongTable<Row>(props: LongTableProps<Row>): ReactElement {
  const { label, columns, rows, keyOf, isMarked, onEnd, onView } = props;
  const box = useRef<HTMLDivElement>(null);
  const { first, end } = useVisibleRows(box, ROW_PX, rows.length);
  const near = end + AHEAD >= rows.length;
  useEffect(() => {
    if (near) onEnd();
  }, [near, onEnd, rows.length]);
  useEffect(() => onView?.({ first, end }), [onView, first, end]);
  const width = columns.reduce((sum, { w }) => sum + w, 0);
  return (
    <div ref={box} className={classes.box} role="group" aria-label={label} tabIndex={0}>
      <table className={classes.table} style={{ minWidth: width }} aria-rowcount={rows.length + 1}>
        <colgroup>
          {columns.map(({ id, w }) => (
            <col key={id} style={{ width: w }} />
          ))}
        </colgroup>
        <thead>
          <tr>
            {columns.map(({ id, head, title, align, sorted }) =>
              head === null ? (
                <td key={id} />
              ) : (
                <th
                  key={id}
                  scope="col"
                  title={title}
                  aria-sort={sorted}
                  style={{ textAlign: align }}
                >
                  {head}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          <Gap rows={first} />
          {rows.slice(first, end).map((row) => (
            <SameLine key={keyOf(row)} row={row} columns={columns} marked={isMarked(row)} />
          ))}
          <Gap rows={rows.length - end} />
        </tbody>
      </table>
    </div>
  );
}
