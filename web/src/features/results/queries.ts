import { keepPreviousData } from "@tanstack/react-query";
import { api } from "#/api/client";
import { isMoving, type Campaign } from "#/shared/campaign/moving";
import { levelQuery } from "#/shared/levels/factor";
import type { Kind } from "#/shared/live/stream";
import { useLastLook } from "#/shared/live/useLastLook";
import { useLive } from "#/shared/live/useLive";
import type { Asked, CellName } from "./search";

const POLL_MS = 10_000;
/** Of a large campaign a mean is over tens of thousands of values: not after each run. */
const LEAST_MS = 5_000;
const WATCHED: readonly Kind[] = ["campaign.state", "run.ended"];
/** Of a group: more say no more in a picture. */
const MOST_VALUES = 2_000;

/** Milliseconds between two looks; false: events tell, or nothing moves. */
export type Poll = number | false;

function query({ metric, client, rows, columns, levels }: Asked) {
  return {
    metric,
    client: client ?? undefined,
    rows: rows ?? undefined,
    columns: columns ?? undefined,
    level: levelQuery(levels),
  };
}

export function useAggregate(campaign: Campaign, asked: Asked, poll: Poll) {
  return api.useQuery(
    "get",
    "/api/v1/campaigns/{campaign}/aggregate",
    { params: { path: { campaign: campaign.id }, query: query(asked) } },
    { placeholderData: keepPreviousData, refetchInterval: poll },
  );
}

export function useValues(campaign: Campaign, asked: Asked, poll: Poll, enabled: boolean) {
  return api.useQuery(
    "get",
    "/api/v1/campaigns/{campaign}/values",
    {
      params: { path: { campaign: campaign.id }, query: { ...query(asked), most: MOST_VALUES } },
    },
    { enabled, placeholderData: keepPreviousData, refetchInterval: poll },
  );
}

/** The paper's numbers for a metric, and its findings judged by what was measured. */
export function useReport(campaign: Campaign, asked: Asked, enabled: boolean) {
  return api.useQuery(
    "get",
    "/api/v1/campaigns/{campaign}/report",
    {
      params: {
        path: { campaign: campaign.id },
        query: { metric: [asked.metric], level: levelQuery(asked.levels) },
      },
    },
    { enabled, placeholderData: keepPreviousData, staleTime: POLL_MS },
  );
}

/** The factors by what they do to a metric, the largest effect first; not asked for where there are
 * no more than a table shows. */
export function useEffects(campaign: Campaign | undefined, metric: string, client: number | null) {
  return api.useQuery(
    "get",
    "/api/v1/campaigns/{campaign}/effects",
    {
      params: {
        path: { campaign: campaign?.id ?? "" },
        query: { metric, client: client ?? undefined },
      },
    },
    // What is down and across does not change under a reader's eyes as runs come.
    { enabled: (campaign?.factors.length ?? 0) > 2, staleTime: Infinity, retry: false },
  );
}

/** The levels of a factor that have results, as text. */
export function useLevels(campaign: Campaign, metric: string, factor: string) {
  return api.useQuery(
    "get",
    "/api/v1/campaigns/{campaign}/aggregate",
    { params: { path: { campaign: campaign.id }, query: { metric, rows: factor } } },
    { staleTime: POLL_MS },
  );
}

/** Each level of a factor against one of them, of one metric; `by`: what is kept apart. */
export function useScorecard(
  campaign: Campaign,
  { metric, client, levels }: Asked,
  factor: string | null,
  against: string | undefined,
  by: readonly string[],
  poll: Poll,
) {
  const query = {
    factor: factor ?? "",
    against: against ?? "",
    by: by.length === 0 ? [""] : [...by],
    metric: [metric],
    client: client ?? undefined,
    level: levelQuery(levels),
  };
  return api.useQuery(
    "get",
    "/api/v1/campaigns/{campaign}/scorecard",
    { params: { path: { campaign: campaign.id }, query } },
    {
      enabled: factor !== null && against !== undefined,
      retry: false,
      placeholderData: keepPreviousData,
      refetchInterval: poll,
    },
  );
}

/** Follows a campaign by its events, which also bring its results up to date; where they do not
 * come, `poll` says how often to ask. */
export function useCampaign(campaign: string) {
  const path = `/api/v1/campaigns/${campaign}/events`;
  const about = campaign;
  const live = useLive({ path, kinds: WATCHED, enabled: true, about, leastMs: LEAST_MS });
  const query = api.useQuery(
    "get",
    "/api/v1/campaigns/{campaign}",
    { params: { path: { campaign } } },
    { refetchInterval: ({ state: { data } }) => pollOf(data, live) },
  );
  useLastLook(query.data !== undefined && isMoving(query.data));
  return { query, poll: pollOf(query.data, live) };
}

function pollOf(campaign: Campaign | undefined, live: boolean): Poll {
  return !live && campaign !== undefined && isMoving(campaign) && POLL_MS;
}

export function useDocument(campaign: string) {
  return api.useQuery(
    "get",
    "/api/v1/campaigns/{campaign}/document",
    { params: { path: { campaign } } },
    { staleTime: Infinity },
  );
}

/** Every cell against one, by the names of its levels. */
export function useContrasts(campaign: Campaign, asked: Asked, [row, column]: CellName) {
  return api.useQuery(
    "get",
    "/api/v1/campaigns/{campaign}/contrasts",
    { params: { path: { campaign: campaign.id }, query: { ...query(asked), row, column } } },
    { placeholderData: keepPreviousData },
  );
}
