import { useQueries } from "@tanstack/react-query";
import { api, type Schema } from "#/api/client";
import { queryOf, type Part } from "#/shared/curves/part";
import { levelQuery } from "#/shared/levels/factor";
import { KINDS, type Drawn } from "./panels";

export type Run = Schema<"RunOut">;
export type Series = Schema<"SeriesOut">;

/** As many as the API lists at once. */
const MOST_LISTED = 500;
/** At the same moments in every run: their median is not one of peaks. */
export const PART: Part = { kinds: KINDS, points: 600, even: true };
const SUCCEEDED: Run["state"][] = ["succeeded"];

export function useCampaign(campaign: string) {
  return api.useQuery("get", "/api/v1/campaigns/{campaign}", { params: { path: { campaign } } });
}

interface Wanted {
  levels: Readonly<Record<string, string>>;
  runs: readonly number[];
  metric: string;
  rank: number | null;
}

/** The runs that succeeded, with their value of the metric. */
export function useGroup(campaign: string, { levels, runs, metric, rank }: Wanted) {
  return api.useQuery(
    "get",
    "/api/v1/campaigns/{campaign}/runs",
    {
      params: {
        path: { campaign },
        query: {
          level: levelQuery(levels),
          run: runs.length === 0 ? undefined : [...runs],
          state: SUCCEEDED,
          metric: [metric],
          client: rank ?? undefined,
          limit: MOST_LISTED,
        },
      },
    },
    { staleTime: 10_000 },
  );
}

/** Runs of the campaign that share a run's seed, and so its chance. */
export function useSameSeed(run: Run | undefined) {
  return api.useQuery(
    "get",
    "/api/v1/campaigns/{campaign}/runs",
    {
      params: {
        path: { campaign: run?.campaign_id ?? "" },
        query: { replicate: run?.replicate, state: SUCCEEDED, limit: MOST_LISTED },
      },
    },
    { enabled: run !== undefined, staleTime: Infinity },
  );
}

interface Fetched {
  drawn: Drawn[];
  durationS: number;
  /** How many are still to come. */
  left: number;
  error: unknown;
}

/** Curves of several runs. What they recorded never changes. */
export function useCurves(runs: readonly number[]): Fetched {
  return useQueries({
    queries: runs.map((run) =>
      api.queryOptions(
        "get",
        "/api/v1/runs/{run}/series",
        {
          params: { path: { run }, query: queryOf(PART) },
        },
        { staleTime: Infinity, structuralSharing: false },
      ),
    ),
    combine,
  });
}

function combine(
  results: readonly { data: Series | undefined; error: unknown; isPending: boolean }[],
): Fetched {
  const found = results.flatMap(({ data }) => (data === undefined ? [] : [data]));
  return {
    drawn: found.map(({ run_id: id, curves }) => ({ id, curves })),
    durationS: Math.max(0, ...found.map(({ duration_s: length }) => length)),
    left: results.filter(({ isPending }) => isPending).length,
    error: results.find(({ error }) => error !== null)?.error ?? null,
  };
}
