/** What the campaign page asks for; while runs go on, again and again. */
import {
  infiniteQueryOptions,
  queryOptions,
  useQuery,
  useQueryClient,
  type InfiniteData,
  type QueryClient,
  type UseQueryResult,
} from "@tanstack/react-query";
import * as v from "valibot";
import { api, client, type Schema } from "#/api/client";
import { isMoving, type Campaign } from "#/shared/campaign/moving";
import { levelQuery } from "#/shared/levels/factor";
import type { Combination } from "#/shared/states/grid";
import { useLive } from "#/shared/live/useLive";
import type { Kind } from "#/shared/live/stream";
import { PAGES } from "#/shared/paging/pages";
import { campaignSearch, type CampaignSearch } from "./search";

const POLL_MS = 2_000;
const SLOW_POLL_MS = 15_000;
const IDLE_POLL_MS = 8_000;
const TOLD_POLL_MS = 60_000;
const WATCHED: readonly Kind[] = ["campaign.state", "campaign.trouble", "run.started", "run.ended"];
const MANY_COMBINATIONS = 2_000;
const GRID_PAGE = 5_000;
/** The first is soon there; those that scrolling asks for are few requests. */
const FIRST_RUNS = 50;
const MORE_RUNS = 500;

/** Milliseconds between two looks; false: it does not move. */
export type Poll = number | false;

/** Follows a campaign by its events. Returns whether they come. */
export function useEvents(campaign: string): boolean {
  const path = `/api/v1/campaigns/${campaign}/events`;
  return useLive({ path, kinds: WATCHED, enabled: true, about: campaign });
}

/** How often to ask what events tell as well, or would tell if they came. */
export function pollOf(campaign: Pick<Campaign, "state">, live: boolean): Poll {
  // Runs that are being written are told by no event.
  const told = live && campaign.state !== "expanding";
  return isMoving(campaign) && (told ? SLOW_POLL_MS : POLL_MS);
}

const campaignQuery = (campaign: string) =>
  api.queryOptions("get", "/api/v1/campaigns/{campaign}", { params: { path: { campaign } } });

const progressQuery = (campaign: string) =>
  api.queryOptions("get", "/api/v1/campaigns/{campaign}/progress", {
    params: { path: { campaign } },
  });

const gridQuery = (campaign: string) =>
  queryOptions({
    queryKey: ["grid", campaign],
    queryFn: ({ signal }) => fetchGrid(campaign, signal),
  });

/** A campaign's runs by state and levels, page by page. */
export function runsQuery(campaign: string, { state, levels = {}, sort, metrics }: CampaignSearch) {
  const level = levelQuery(levels);
  return infiniteQueryOptions({
    queryKey: ["runs", campaign, state, level, sort, metrics],
    queryFn: async ({ pageParam, signal }) => {
      const limit = pageParam === PAGES.initialPageParam ? FIRST_RUNS : MORE_RUNS;
      const query = { state, level, sort, metric: metrics, limit, cursor: pageParam };
      const params = { path: { campaign }, query };
      const { data, error } = await client.GET("/api/v1/campaigns/{campaign}/runs", {
        params,
        signal,
      });
      if (data === undefined) throw error;
      return data;
    },
    initialPageParam: PAGES.initialPageParam,
    getNextPageParam: PAGES.getNextPageParam,
    // All its pages at each event would be many: see `useRunsInView`.
    meta: { ownPace: true },
  });
}

/** Asks for what the campaign's page will show, before its code is there. */
export function beginCampaign(queries: QueryClient, campaign: string, search: unknown): void {
  // The page asks for the same, and says what went wrong.
  const nothing = (): void => undefined;
  queries.query(campaignQuery(campaign)).catch(nothing);
  queries.query(progressQuery(campaign)).catch(nothing);
  queries.query(gridQuery(campaign)).catch(nothing);
  queries.infiniteQuery(runsQuery(campaign, v.parse(campaignSearch, search))).catch(nothing);
}

type Pages = InfiniteData<Page>;

/** The same pages with these runs as they are now. */
export function withRuns(before: Pages, runs: readonly Run[]): Pages {
  const now = new Map(runs.map((run) => [run.id, run]));
  return {
    ...before,
    pages: before.pages.map((page) =>
      page.items.some(({ id }) => now.has(id))
        ? { ...page, items: page.items.map((run) => now.get(run.id) ?? run) }
        : page,
    ),
  };
}

/** Brings runs up to date, of which some are in view and not over, where they stand. */
export function useRunsInView(
  campaign: string,
  search: CampaignSearch,
  runs: readonly Run[],
  poll: Poll,
): void {
  const queries = useQueryClient();
  const open = runs.filter(({ state }) => OPEN.includes(state)).map(({ id }) => id);
  const { metrics } = search;
  useQuery({
    queryKey: ["runs in view", campaign, open, metrics],
    queryFn: async ({ signal }) => {
      const query = { run: open, metric: metrics, limit: MORE_RUNS };
      const params = { path: { campaign }, query };
      const { data, error } = await client.GET("/api/v1/campaigns/{campaign}/runs", {
        params,
        signal,
      });
      if (data === undefined) throw error;
      queries.setQueryData(
        runsQuery(campaign, search).queryKey,
        (before: Pages | undefined) => before && withRuns(before, data.items),
      );
      return data.items.length;
    },
    enabled: poll !== false && open.length > 0,
    refetchInterval: poll,
  });
}

/** Whether runs stay where they stand in a list as they go on. */
export function staysInPlace({ state, sort = "position" }: CampaignSearch): boolean {
  return state === undefined && ["position", "-position"].includes(sort);
}

export function useCampaign(campaign: string, live: boolean) {
  return useQuery({
    ...campaignQuery(campaign),
    refetchInterval: ({ state: { data } }) =>
      (data !== undefined && pollOf(data, live)) || (live ? TOLD_POLL_MS : IDLE_POLL_MS),
  });
}

/** The answer to a campaign's question, by the runs that there are; runs that end ask for it again. */
export function useAnswer(campaign: Campaign, poll: Poll) {
  return api.useQuery(
    "get",
    "/api/v1/campaigns/{campaign}/answer",
    { params: { path: { campaign: campaign.id } } },
    { refetchInterval: poll },
  );
}

/** What a campaign's search found, or how far it has narrowed, by the runs that there are. */
export function useSearch(campaign: Campaign, poll: Poll) {
  return api.useQuery(
    "get",
    "/api/v1/campaigns/{campaign}/search",
    { params: { path: { campaign: campaign.id } } },
    { refetchInterval: poll },
  );
}

export function useProgress(campaign: string, poll: Poll) {
  return useQuery({ ...progressQuery(campaign), refetchInterval: poll });
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
export function useGrid(campaign: Campaign, poll: Poll): UseQueryResult<Combination[]> {
  const many = campaign.combination_count > MANY_COMBINATIONS;
  return useQuery({
    ...gridQuery(campaign.id),
    refetchInterval: poll && (many ? SLOW_POLL_MS : poll),
    meta: { ownPace: many },
  });
}

/** Tags of the team's campaigns, to choose from. */
export function useTags(team: string) {
  return api.useQuery("get", "/api/v1/teams/{team}/tags", {
    params: { path: { team }, query: { limit: 500 } },
  });
}

export type Run = Schema<"RunOut">;
type Page = Schema<"Page_RunOut_">;
const OPEN: readonly string[] = ["pending", "queued", "running"];
