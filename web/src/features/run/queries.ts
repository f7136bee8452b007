import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { api, client, type Schema } from "#/api/client";
import type { Kind } from "#/shared/live/stream";
import { useLive } from "#/shared/live/useLive";
import type { Range } from "#/shared/plots/stack/panel";

export type Run = Schema<"RunDetail">;
export type Curve = Schema<"CurveOut">;
export type Series = Schema<"SeriesOut">;

const POLL_MS = 4_000;
const WATCHED: readonly Kind[] = ["run.started", "run.ended"];
/** How often a running run is asked for what it has recorded meanwhile. */
const SO_FAR_MS = 5_000;
/** Of a curve: twice as many as a wide screen has pixels, in pairs of least and greatest. */
const POINTS = 4_000;

export function hasEnded({ state }: Pick<Run, "state">): boolean {
  return !["pending", "queued", "running"].includes(state);
}

/** Whether it has curves and metrics. */
export function isFinished({ state }: Pick<Run, "state">): boolean {
  return state === "succeeded" || state === "invalid";
}

/** Whether it shows what curves it has while it runs. */
export function isRunning({ state }: Pick<Run, "state">): boolean {
  return state === "running";
}

/** Follows it to its end by its campaign's events, or by asking where these do not come. */
export function useRun(run: number) {
  const query = api.useQuery(
    "get",
    "/api/v1/runs/{run}",
    { params: { path: { run } } },
    { refetchInterval: ({ state: { data } }) => data && !hasEnded(data) && POLL_MS },
  );
  const going = query.data !== undefined && !hasEnded(query.data);
  useLive({
    path: `/api/v1/campaigns/${query.data?.campaign_id ?? ""}/events`,
    kinds: WATCHED,
    enabled: going,
    about: "/api/v1/runs/{run}",
  });
  return query;
}

export function useMetricsOf(run: number) {
  return api.useQuery(
    "get",
    "/api/v1/runs/{run}/metrics",
    { params: { path: { run } } },
    { staleTime: Infinity },
  );
}

export function useArtifacts(run: number) {
  return api.useQuery(
    "get",
    "/api/v1/runs/{run}/artifacts",
    { params: { path: { run } } },
    { staleTime: Infinity },
  );
}

type Ended = Pick<Run, "id" | "ended_at">;

/** Some kinds of curves, of all the time or of a part. What a run recorded changes while it runs, and
 * where it failed and is run again. */
export function useSeries(
  { id: run, ended_at: ended, state }: Ended & Pick<Run, "state">,
  kinds: readonly string[],
  part: Range | null = null,
  enabled = true,
): UseQueryResult<Series> {
  return useQuery({
    queryKey: ["series", run, ended, kinds, part],
    queryFn: async ({ signal }) => {
      const { data, error } = await client.GET("/api/v1/runs/{run}/series", {
        params: {
          path: { run },
          query: {
            kinds: kinds.join(","),
            points: POINTS,
            ...(part === null ? {} : { from_s: part[0], to_s: part[1] }),
          },
        },
        signal,
      });
      if (data === undefined) throw error;
      return data;
    },
    staleTime: Infinity,
    refetchInterval: isRunning({ state }) && SO_FAR_MS,
    enabled: enabled && kinds.length > 0,
    placeholderData: keepPreviousData,
    structuralSharing: false,
  });
}

export function useLog({ id: run, ended_at: ended }: Ended) {
  return useQuery({
    queryKey: ["log", run, ended],
    queryFn: async ({ signal }) => {
      const { data, error } = await client.GET("/api/v1/runs/{run}/log", {
        params: { path: { run } },
        parseAs: "text",
        signal,
      });
      if (data === undefined) throw error;
      return data;
    },
    staleTime: Infinity,
  });
}
