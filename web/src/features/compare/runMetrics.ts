/** Metrics in which two runs differ, read from the API's paths: jain, client.1.cng. */
import type { Metric } from "#/shared/metrics/metrics";
import type { Differing } from "./differing";

export interface MetricDifference {
  path: string;
  title: string;
  /** The client's rank; null: of the run. */
  rank: number | null;
  metric: Pick<Metric, "unit" | "better">;
  /** Its definition, where the server knows it. */
  about?: Metric | undefined;
  a: number | null;
  b: number | null;
}

const OF_CLIENT = /^client\.(\d+)\.(.+)$/;
/** Whose it is, not how it went. */
const NOT_MEASURED = new Set(["client", "rank"]);

const numeric = (value: unknown): number | null => (typeof value === "number" ? value : null);

export function metricDifferences(
  found: readonly Differing[],
  catalogue: ReadonlyMap<string, Metric>,
): MetricDifference[] {
  return found.flatMap(({ path, a, b }) => {
    const match = OF_CLIENT.exec(path);
    const name = match?.[2] ?? path;
    if (NOT_MEASURED.has(name)) return [];
    const about = catalogue.get(name);
    const { title = name, unit = "", better = null } = about ?? {};
    const rank = match === null ? null : Number(match[1]);
    return [{ path, title, rank, metric: { unit, better }, about, a: numeric(a), b: numeric(b) }];
  });
}
