/** What a paper gives for a cell of a pivot. */
import type { Schema } from "#/api/client";
import { nameOf, type Factors } from "./pivot";

type Reported = Pick<Schema<"ReportOut">["groups"][number], "levels" | "client" | "paper">;

/**
 * The mean of the paper's numbers over the combinations (and, without a rank, over the clients)
 * that a cell pools; null unless the paper has all of them.
 */
export function paperNumbers(
  cells: readonly Reported[],
  factors: Factors,
  rank: number | null,
): (row: string, column: string) => number | null {
  const found = new Map<string, (number | null)[]>();
  for (const cell of cells) {
    if (cell.client !== null && rank !== null && cell.client !== rank) continue;
    const key = JSON.stringify(nameOf(cell, factors));
    const known = found.get(key);
    if (known === undefined) found.set(key, [cell.paper]);
    else known.push(cell.paper);
  }
  return (row, column) => {
    const numbers = found.get(JSON.stringify([row, column])) ?? [];
    const given = numbers.filter((each) => each !== null);
    return given.length === 0 || given.length < numbers.length
      ? null
      : given.reduce((sum, each) => sum + each, 0) / given.length;
  };
}
