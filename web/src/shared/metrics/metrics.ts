import { api, type Schema } from "#/api/client";

/** What a metric is: title, unit, of the run or of each client, which way is better, how it is
 * computed, and who defined it. */
export type Metric = Pick<
  Schema<"MetricOut">,
  "name" | "title" | "unit" | "scope" | "better" | "formula" | "source"
>;

/** Names that campaigns may use, with all metrics; they change with the server's version only. */
export function useChoices(enabled = true) {
  return api.useQuery("get", "/api/v1/library/choices", undefined, {
    staleTime: Infinity,
    enabled,
  });
}

/** Metrics by name. */
export function byName(metrics: readonly Metric[]): ReadonlyMap<string, Metric> {
  return new Map(metrics.map((metric) => [metric.name, metric]));
}
