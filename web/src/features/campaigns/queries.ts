/** What the campaign page asks for; while runs go on, again and again. */
import { useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useEffect } from "react";
import { api, client, type Schema } from "#/api/client";
import type { Combination } from "#/shared/states/grid";
import { isMoving } from "./moving";

const POLL_MS = 2_000;
const SLOW_POLL_MS = 15_000;
const MANY_COMBINATIONS = 2_000;
const GRID_PAGE = 5_000;

export function useCampaign(campaign: string) {
  return api.useQuery(
    "get",
    "/api/v1/campaigns/{campaign}",
    { params: { path: { campaign } } },
    { refetchInterval: ({ state: { data } }) => (data && isMoving(data) ? POLL_MS : 4 * POLL_MS) },
  );
}

export function useProgress(campaign: string, moving: boolean) {
  return api.useQuery(
    "get",
    "/api/v1/campaigns/{campaign}/progress",
    { params: { path: { campaign } } },
    { refetchInterval: moving && POLL_MS },
  );
}

async function fetchGrid(campaign: string, signal: AbortSignal): Promise<Combination[]> {
  const found: Combination[] = [];
  let cursor: string | undefined;
  do {
    const { data, error } = await client.GET("/api/v1/campaigns/{campaign}/grid", {
      params: { path: { campaign }, query: { limit: GRID_PAGE, cursor } },
      signal,
    });
    if (data === undefined) throw error;
    found.push(...data.items);
    cursor = data.next ?? undefined;
  } while (cursor !== undefined);
  return found;
}

/** All combinations with the states of their runs, in the campaign's order. */
export function useGrid(campaign: string, moving: boolean): UseQueryResult<Combination[]> {
  return useQuery({
    queryKey: ["grid", campaign],
    queryFn: ({ signal }) => fetchGrid(campaign, signal),
    refetchInterval: ({ state: { data } }) =>
      moving && ((data?.length ?? 0) > MANY_COMBINATIONS ? SLOW_POLL_MS : POLL_MS),
  });
}

/** Fetches everything once more when the runs have stopped: what was fetched while they went on
 * is older than their end. */
export function useLastLook(moving: boolean): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (!moving) return undefined;
    return () => void queries.invalidateQueries();
  }, [moving, queries]);
}

export type Run = Schema<"RunOut">;
