import {
  useCallback,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
} from "react";
import { axes } from "#/shared/levels/factor";
import { useWidth } from "#/shared/plots/useWidth";
import { describeCell } from "./describe";
import { layGrid, statePaths, type Combination, type Grid, type Placed } from "./grid";
import { StateGridDownload } from "./StateGridDownload";
import classes from "./states.module.css";

interface StateGridProps {
  title: string;
  combinations: readonly Combination[];
  onPick: (combination: Combination) => void;
}

const LABEL_PX = 7;
/** Of a tilted label, across. */
const TILTED_LABEL_PX = 5;
const MOST_LABEL = 190;
/** Characters. */
const MOST_ROW_LABEL = 32;
const MOST_COLUMN_LABEL = 26;
/** Tilted names of narrower columns lie over each other. */
const LEAST_NAMED = 22;

function cellSize(available: number, columns: number, rows: number) {
  const width = Math.max(
    5,
    Math.min(columns > 12 ? 72 : 132, Math.floor(available / Math.max(1, columns))),
  );
  const height = rows <= 6 ? 30 : rows <= 12 ? 24 : rows <= 40 ? 16 : rows <= 200 ? 9 : 5;
  return { width, height, gap: width > 14 && height > 9 ? 2 : 1 };
}

/** Cells, and how their columns' names fit: tilted ones reach beyond the last column. */
function fitted(available: number, { columns, rows }: Grid, longest: number) {
  const whole = cellSize(available, columns.length, rows.length);
  if (longest * LABEL_PX <= whole.width - 4)
    return { size: whole, tilted: false, named: true, overhang: 0 };
  const overhang = Math.max(0, longest * TILTED_LABEL_PX - whole.width / 2);
  const less = cellSize(available - overhang, columns.length, rows.length);
  // On a phone it is scrolled.
  const size = less.width < LEAST_NAMED ? whole : less;
  const named = size.width >= LEAST_NAMED;
  return { size, tilted: true, named, overhang: named ? overhang : 0 };
}

/** Where every run of a campaign stands: a cell per combination, filled by its runs' states. */
export function StateGrid({ title, combinations, onPick }: StateGridProps): ReactElement {
  const { ref, width: available } = useWidth<HTMLDivElement>();
  const svg = useRef<SVGSVGElement>(null);
  const [at, setAt] = useState<{ row: number; column: number } | null>(null);
  const grid = useMemo(() => layGrid(combinations), [combinations]);
  const places = useMemo(
    () => new Map(grid.cells.map((cell) => [`${cell.row},${cell.column}`, cell])),
    [grid],
  );
  const longest = Math.max(0, ...grid.rows.map((row) => row.length));
  const left = Math.min(MOST_LABEL, longest * LABEL_PX + (longest > 0 ? 12 : 0));
  const longestColumn = Math.min(
    MOST_COLUMN_LABEL,
    Math.max(0, ...grid.columns.map((column) => column.length)),
  );
  const { size, tilted, named, overhang } = fitted(
    Math.max(300, available) - left,
    grid,
    longestColumn,
  );
  // In place of names of columns: those of the first factor, where each has room above its own.
  const spans = named
    ? []
    : grid.spans.every(({ name, count }) => name.length * LABEL_PX <= count * size.width - 4)
      ? grid.spans
      : [];
  const top = named && tilted ? 12 + longestColumn * 4.4 : named || spans.length > 0 ? 20 : 4;
  const width = left + grid.columns.length * size.width + overhang;
  const height = top + grid.rows.length * size.height;
  const paths = useMemo(
    () => statePaths(grid.cells, { width: size.width, height: size.height, gap: size.gap }),
    [grid, size.width, size.height, size.gap],
  );
  const cell: Placed | undefined = at === null ? undefined : places.get(`${at.row},${at.column}`);

  const under = useCallback(
    (event: MouseEvent): { row: number; column: number } | null => {
      const box = svg.current?.getBoundingClientRect();
      if (box === undefined) return null;
      const column = Math.floor((event.clientX - box.left - left) / size.width);
      const row = Math.floor((event.clientY - box.top - top) / size.height);
      return places.has(`${row},${column}`) ? { row, column } : null;
    },
    [left, top, size.width, size.height, places],
  );

  const key = (event: KeyboardEvent): void => {
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [0, -1],
      ArrowRight: [0, 1],
      ArrowUp: [-1, 0],
      ArrowDown: [1, 0],
    };
    const step = steps[event.key];
    if (event.key === "Enter" && cell !== undefined) onPick(cell.combination);
    if (step === undefined) return;
    event.preventDefault();
    const next = {
      row: (at?.row ?? 0) + (at ? step[0] : 0),
      column: (at?.column ?? 0) + (at ? step[1] : 0),
    };
    if (places.has(`${next.row},${next.column}`)) setAt(next);
  };

  return (
    <div ref={ref}>
      <div className={classes.head}>
        <span className={classes.factors}>{axes(grid.rowFactors, grid.columnFactors)}</span>
        <StateGridDownload title={title} svg={svg} grid={grid} />
      </div>
      <div className={classes.scroll}>
        <svg
          ref={svg}
          width={width}
          height={height}
          className={classes.grid}
          role="application"
          aria-label={`${title}: arrows go from cell to cell, Enter shows its runs`}
          tabIndex={0}
          onKeyDown={key}
          onMouseMove={(event) => setAt(under(event))}
          onMouseLeave={() => setAt(null)}
          onClick={(event) => {
            const found = under(event);
            const picked = found && places.get(`${found.row},${found.column}`);
            if (picked) onPick(picked.combination);
          }}
        >
          {named &&
            grid.columns.map((column, index) => (
              <text
                key={column}
                className={classes.label}
                textAnchor={tilted ? "start" : "middle"}
                transform={`translate(${left + (index + 0.5) * size.width + (tilted ? 2 : -1)} ${top - 7})${tilted ? " rotate(-32)" : ""}`}
              >
                {column.length > MOST_COLUMN_LABEL
                  ? `${column.slice(0, MOST_COLUMN_LABEL - 1)}…`
                  : column}
              </text>
            ))}
          {spans.map(({ name, from, count }) => (
            <text
              key={from}
              className={classes.label}
              textAnchor="middle"
              x={left + (from + count / 2) * size.width}
              y={top - 7}
            >
              {name}
            </text>
          ))}
          {size.height >= 9 &&
            grid.rows.map((row, index) => (
              <text
                key={row}
                className={classes.label}
                textAnchor="end"
                x={left - 10}
                y={top + (index + 0.5) * size.height + 3}
                fontSize={size.height < 12 ? 8.5 : undefined}
              >
                {row.length > MOST_ROW_LABEL ? `${row.slice(0, MOST_ROW_LABEL - 1)}…` : row}
              </text>
            ))}
          <g transform={`translate(${left} ${top})`}>
            {paths.map(({ state, d }) => (
              <path key={state} d={d} fill={`var(--weir-${state})`} />
            ))}
            {at !== null && (
              <rect
                x={at.column * size.width - 1}
                y={at.row * size.height - 1}
                width={size.width - size.gap + 2}
                height={size.height - size.gap + 2}
                className={classes.cursor}
              />
            )}
          </g>
        </svg>
      </div>
      <div className={classes.readout} aria-live="polite">
        {cell === undefined ? "" : describeCell(cell.combination)}
      </div>
    </div>
  );
}
