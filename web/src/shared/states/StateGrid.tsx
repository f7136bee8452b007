import {
  useCallback,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
} from "react";
import { shortFactor } from "#/shared/levels/factor";
import { useWidth } from "#/shared/plots/useWidth";
import { describeCell } from "./describe";
import { layGrid, statePaths, type Combination, type Placed } from "./grid";
import { StateGridDownload } from "./StateGridDownload";
import classes from "./states.module.css";

interface StateGridProps {
  title: string;
  combinations: readonly Combination[];
  onPick: (combination: Combination) => void;
}

const LABEL_PX = 7;
const MOST_LABEL = 190;

function cellSize(available: number, columns: number, rows: number) {
  const width = Math.max(
    5,
    Math.min(columns > 12 ? 72 : 132, Math.floor(available / Math.max(1, columns))),
  );
  const height = rows <= 6 ? 30 : rows <= 12 ? 24 : rows <= 40 ? 16 : rows <= 200 ? 9 : 5;
  return { width, height, gap: width > 14 && height > 9 ? 2 : 1 };
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
  const size = cellSize(Math.max(300, available) - left, grid.columns.length, grid.rows.length);
  const tilted = grid.columns.some((column) => column.length * LABEL_PX > size.width - 4);
  const named = size.width >= 14;
  const longestColumn = Math.min(22, Math.max(0, ...grid.columns.map((column) => column.length)));
  const top = !named ? 4 : tilted ? 12 + longestColumn * 4.4 : 20;
  const width = left + grid.columns.length * size.width + (tilted && named ? 70 : 0);
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
        <span className={classes.factors}>
          {grid.rowFactors.length > 0 && (
            <>↓ {grid.rowFactors.map(shortFactor).join(" · ")}&emsp;</>
          )}
          {grid.columnFactors.length > 0 && (
            <>→ {grid.columnFactors.map(shortFactor).join(" · ")}</>
          )}
        </span>
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
                {column.length > 22 ? `${column.slice(0, 21)}…` : column}
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
                {row.length > 26 ? `${row.slice(0, 25)}…` : row}
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
