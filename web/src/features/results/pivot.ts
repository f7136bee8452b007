/** Groups of runs laid out by two factors. */
import type { BarsData } from "#/shared/plots/bars";
import type { ValuesData } from "#/shared/plots/boxes";
import type { Contrast } from "#/shared/plots/contrasts";
import { levelText } from "#/shared/levels/text";
import type { Schema } from "#/api/client";
import type { CellName } from "./search";

export type Cell = Schema<"GroupSummary">;
export type Group = Schema<"GroupValues">;

interface Levelled {
  levels: Readonly<Record<string, unknown>>;
}

export interface Factors {
  rows: string | null;
  columns: string | null;
}

/** Texts of the levels down and across, and the group at each crossing that has one. */
export interface Pivot<Entry extends Levelled> {
  rows: readonly string[];
  columns: readonly string[];
  at: (row: string, column: string) => Entry | undefined;
  some: (is: (entry: Entry) => boolean) => boolean;
}

/** What stands for the level of no factor. */
export const ALL = "all";

export function nameOf({ levels }: Levelled, { rows, columns }: Factors): CellName {
  const text = (factor: string | null): string =>
    factor === null ? ALL : levelText(levels[factor]);
  return [text(rows), text(columns)];
}

/** In the order in which levels first come. */
export function pivot<Entry extends Levelled>(
  entries: readonly Entry[],
  factors: Factors,
): Pivot<Entry> {
  const found = new Map<string, Map<string, Entry>>();
  const columns = new Set<string>();
  for (const entry of entries) {
    const [row, column] = nameOf(entry, factors);
    columns.add(column);
    const known = found.get(row);
    if (known === undefined) found.set(row, new Map([[column, entry]]));
    else known.set(column, entry);
  }
  return {
    rows: [...found.keys()],
    columns: [...columns],
    at: (row, column) => found.get(row)?.get(column),
    some: (is) => entries.some(is),
  };
}

interface Measure {
  title: string;
  unit: string;
}

/** paper: what a paper gives for a cell, or null. */
export function barsOf(
  { rows, columns, at }: Pivot<Cell>,
  { title, unit }: Measure,
  paper: (row: string, column: string) => number | null,
  contrasts: readonly Contrast[] = [],
): BarsData {
  return {
    metric: title,
    unit,
    categories: rows,
    contrasts,
    series: columns.map((column) => ({
      name: column,
      cells: rows.map((row) => {
        const cell = at(row, column);
        return cell?.mean == null
          ? null
          : {
              mean: cell.mean,
              ciLow: cell.ci_low,
              ciHigh: cell.ci_high,
              n: cell.n,
              distinct: cell.distinct,
              paper: paper(row, column),
            };
      }),
    })),
  };
}

export function valuesOf(
  { rows, columns, at }: Pivot<Group>,
  { title, unit }: Measure,
): ValuesData {
  return {
    metric: title,
    unit,
    categories: rows,
    series: columns.map((column) => ({
      name: column,
      cells: rows.map((row) => at(row, column)?.values ?? []),
      runs: rows.map((row) => at(row, column)?.runs ?? []),
    })),
  };
}

/** Picked cells only, each its own category. */
export function only<Entry extends Levelled>(
  { at }: Pivot<Entry>,
  picked: readonly CellName[],
): Pivot<Entry> {
  const byName = new Map(picked.map(([row, column]) => [cellText([row, column]), at(row, column)]));
  return {
    rows: [...byName.keys()],
    columns: [ALL],
    at: (row) => byName.get(row),
    some: (is) => [...byName.values()].some((entry) => entry !== undefined && is(entry)),
  };
}

/** A cell's name on one line. */
export function cellText(name: CellName): string {
  return name.filter((each) => each !== ALL).join(" · ") || ALL;
}
