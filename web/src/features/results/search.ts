import * as v from "valibot";
import type { Asked as Request } from "#/shared/copy/formats";
import { lenient } from "#/shared/search/lenient";

export const VIEWS = ["bars", "boxes", "cdf"] as const;
export type View = (typeof VIEWS)[number];

/** In place of a factor: its levels are pooled. */
export const POOLED = "-";

const cell = v.tuple([v.string(), v.string()]);

/** The whole view of a campaign's results. picked: [row, column] of cells, by their levels.
 * against: the level that the others' bars are compared with. */
export const resultsSearch = v.object({
  metric: lenient(v.string()),
  client: lenient(v.pipe(v.number(), v.integer(), v.minValue(1))),
  rows: lenient(v.string()),
  columns: lenient(v.string()),
  levels: lenient(v.record(v.string(), v.string())),
  view: lenient(v.picklist(VIEWS)),
  picked: lenient(v.array(cell)),
  against: lenient(v.string()),
});

export type ResultsSearch = v.InferOutput<typeof resultsSearch>;
export type CellName = v.InferOutput<typeof cell>;

/** What the page shows, where the search leaves it open. */
export interface Asked {
  metric: string;
  client: number | null;
  rows: string | null;
  columns: string | null;
  levels: Readonly<Record<string, string>>;
  view: View;
  picked: readonly CellName[];
}

export const FIRST_METRIC = "mean_bitrate_bps";

/** factors: the most telling first. Down: the second; across: the first. */
export function asked(search: ResultsSearch, factors: readonly string[]): Asked {
  const chosen = (factor: string | undefined, otherwise: string | undefined): string | null => {
    const wanted = factor ?? otherwise;
    return wanted !== undefined && factors.includes(wanted) ? wanted : null;
  };
  const rows = chosen(search.rows, factors[1] ?? factors[0]);
  const columns = chosen(search.columns, factors.length > 1 ? factors[0] : undefined);
  const levels = Object.fromEntries(
    Object.entries(search.levels ?? {}).filter(([factor]) => factors.includes(factor)),
  );
  return {
    metric: search.metric ?? FIRST_METRIC,
    client: search.client ?? null,
    rows,
    columns: columns === rows ? null : columns,
    levels,
    view: search.view ?? "bars",
    picked: search.picked ?? [],
  };
}

/** What is shown, as a request of the API. */
export function requestOf(
  campaign: string,
  { metric, client, rows, columns, levels, view }: Asked,
): Request {
  const bars = view === "bars";
  return {
    path: `/api/v1/campaigns/${campaign}/${bars ? "aggregate" : "values"}`,
    call: bars ? "aggregate_metric" : "list_values",
    of: [campaign],
    query: { metric, rows, columns, client },
    levels,
  };
}

/** Factors whose levels are pooled in each group. */
export function pooledOf(
  { rows, columns, levels }: Pick<Asked, "rows" | "columns" | "levels">,
  factors: readonly string[],
): string[] {
  return factors.filter((each) => each !== rows && each !== columns && !(each in levels));
}
