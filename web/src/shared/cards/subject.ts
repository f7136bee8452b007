/** What a view shows, so that a card of it names the right campaigns and runs. */
import { createContext } from "react";

/** campaigns: empty where the runs tell; of a trend its nights. runs: empty where all of the
 * campaigns are shown. trend: of a schedule. view: the address that draws it again, where that is
 * not the page's. */
export interface Subject {
  campaigns: readonly string[];
  runs: readonly number[];
  trend?: number;
  view?: string;
}

/** What a part of a page shows, where that is not what the page's address tells. */
export const Shown = createContext<Partial<Subject> | null>(null);

const strings = (...values: unknown[]): string[] =>
  values.filter((value) => typeof value === "string");
const numbers = (...values: unknown[]): number[] =>
  values.filter((value) => typeof value === "number");

/** By a page's address; null for pages that show no campaign and no run. */
export function subjectOf(path: string, search: Readonly<Record<string, unknown>>): Subject | null {
  const [, , , noun, id] = path.split("/");
  if (noun === "campaigns" && id !== undefined && id !== "new")
    return { campaigns: [id], runs: [] };
  if (noun === "runs" && id !== undefined) return { campaigns: [], runs: [Number(id)] };
  if (noun !== "compare") return null;
  const found =
    id === "runs"
      ? { campaigns: [], runs: numbers(search.a, search.b) }
      : { campaigns: strings(search.a, search.b), runs: [] };
  return found.campaigns.length + found.runs.length === 0 ? null : found;
}
