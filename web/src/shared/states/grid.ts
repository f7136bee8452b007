/** Combinations of levels laid out as a grid: the last factors across, the first ones down. */
import { levelText } from "#/shared/levels/text";
import { STATES, type RunState } from "#/shared/theme/palette";

export type Counts = Partial<Record<RunState, number>>;

export interface Combination {
  number: number;
  levels: Readonly<Record<string, unknown>>;
  counts: Counts;
}

export interface Placed {
  combination: Combination;
  row: number;
  column: number;
}

export interface Grid {
  rows: string[];
  columns: string[];
  rowFactors: string[];
  columnFactors: string[];
  /** Levels of the first factor across, each over the columns that it has. */
  spans: { name: string; from: number; count: number }[];
  cells: Placed[];
}

const MOST_COLUMNS = 60;

function label(levels: Combination["levels"], factors: readonly string[]): string {
  return factors.map((factor) => levelText(levels[factor])).join(" · ");
}

function distinct(combinations: readonly Combination[], factor: string): number {
  return new Set(combinations.map(({ levels }) => levelText(levels[factor]))).size;
}

/** How many of the last factors go across: at least one of two, while the columns stay few. */
function across(combinations: readonly Combination[], factors: readonly string[]): number {
  let columns = 1;
  let taken = 0;
  for (const factor of [...factors].reverse()) {
    const next = columns * distinct(combinations, factor);
    const square = columns * columns >= combinations.length;
    if (taken > 0 && (next > MOST_COLUMNS || square || taken === factors.length - 1)) break;
    columns = next;
    taken += 1;
  }
  return taken;
}

export function layGrid(combinations: readonly Combination[]): Grid {
  const factors = Object.keys(combinations[0]?.levels ?? {});
  const taken = across(combinations, factors);
  const rowFactors = factors.slice(0, factors.length - taken);
  const columnFactors = factors.slice(factors.length - taken);
  const rows = new Map<string, number>();
  const columns = new Map<string, number>();
  const index = (names: Map<string, number>, name: string): number => {
    const known = names.get(name);
    if (known !== undefined) return known;
    names.set(name, names.size);
    return names.size - 1;
  };
  const cells = combinations.map((combination) => ({
    combination,
    row: index(rows, label(combination.levels, rowFactors)),
    column: index(columns, label(combination.levels, columnFactors)),
  }));
  const spans: Grid["spans"] = [];
  const outer = new Map(
    cells.map(({ combination, column }) => [
      column,
      label(combination.levels, [columnFactors[0] ?? ""]),
    ]),
  );
  for (let column = 0; column < columns.size; column += 1) {
    const name = outer.get(column) ?? "";
    const last = spans.at(-1);
    if (last?.name === name) last.count += 1;
    else spans.push({ name, from: column, count: 1 });
  }
  return {
    rows: [...rows.keys()],
    columns: [...columns.keys()],
    rowFactors,
    columnFactors,
    spans,
    cells,
  };
}

export function total(counts: Counts): number {
  return STATES.reduce((sum, state) => sum + (counts[state] ?? 0), 0);
}

export interface Cell {
  width: number;
  height: number;
  gap: number;
}

/**
 * One SVG path per state, for all cells at once: a cell is filled from the left by the shares of
 * its runs' states. Some paths draw 30,000 cells as fast as 30.
 */
export function statePaths(
  cells: readonly Placed[],
  { width, height, gap }: Cell,
): { state: RunState; d: string }[] {
  const parts = new Map<RunState, string[]>();
  for (const { combination, row, column } of cells) {
    const runs = total(combination.counts);
    if (runs === 0) continue;
    const inner = width - gap;
    let x = column * width;
    for (const state of STATES) {
      const share = ((combination.counts[state] ?? 0) / runs) * inner;
      if (share === 0) continue;
      const rect = `M${round(x)} ${row * height}h${round(share)}v${height - gap}h${round(-share)}z`;
      const found = parts.get(state);
      if (found === undefined) parts.set(state, [rect]);
      else found.push(rect);
      x += share;
    }
  }
  return STATES.flatMap((state) => {
    const found = parts.get(state);
    return found === undefined ? [] : [{ state, d: found.join("") }];
  });
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
