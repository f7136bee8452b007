/** A cell as the server resolved it: SI units, nothing left to work out. */
import type { Schema } from "#/api/client";

export type Cell = NonNullable<Schema<"Validation">["cell"]>;
export type CellPath = Cell["paths"][number];
export type Link = NonNullable<CellPath["downlink"]>;
export type Client = Cell["clients"][number];
export type Traffic = Cell["traffic"][number];
export type CellEvent = Cell["events"][number];

/** Indices of the paths that have this name; the only one, where none is named. */
export function pathOf({ paths }: Cell, name: string | null | undefined): number {
  return Math.max(
    0,
    paths.findIndex((path) => path.name === (name ?? null)),
  );
}

export interface Join {
  /** Index of the path. */
  path: number;
  isBackup: boolean;
}

/** A client's addresses, in the order of the paths. */
export function joins(cell: Cell, { paths, backup }: Client): Join[] {
  const names = paths.length === 0 ? [null] : paths;
  return names
    .map((name) => ({
      path: pathOf(cell, name),
      isBackup: name !== null && backup.includes(name),
    }))
    .sort((a, b) => a.path - b.path);
}

/** The other traffic on a path. */
export function trafficOn(cell: Cell, path: number): Traffic[] {
  return cell.traffic.filter(({ path: name }) => pathOf(cell, name) === path);
}
