import { keepPreviousData } from "@tanstack/react-query";
import { api, type Schema } from "#/api/client";
import { levelQuery } from "#/shared/levels/factor";
import type { Asked, CellName } from "./search";

const POLL_MS = 10_000;
/** Of a group: more say no more in a picture. */
const MOST_VALUES = 2_000;

export type Campaign = Schema<"CampaignOut">;

function isMoving({ state }: Campaign): boolean {
  return state === "expanding" || state === "active";
}

function query({ metric, client, rows, columns, levels }: Asked) {
  return {
    metric,
    client: client ?? undefined,
    rows: rows ?? undefined,
    columns: columns ?? undefined,
    level: levelQuery(levels),
  };
}

/** Follows a campaign while its runs go on. */
export function useAggregate(campaign: Campaign, asked: Asked) {
  return api.useQuery(
    "get",
    "/api/v1/campaigns/{campaign}/aggregate",
    { params: { path: { campaign: campaign.id }, query: query(asked) } },
    { placeholderData: keepPreviousData, refetchInterval: isMoving(campaign) && POLL_MS },
  );
}

export function useValues(campaign: Campaign, asked: Asked, enabled: boolean) {
  return api.useQuery(
    "get",
    "/api/v1/campaigns/{campaign}/values",
    {
      params: { path: { campaign: campaign.id }, query: { ...query(asked), most: MOST_VALUES } },
    },
    { enabled, placeholderData: keepPreviousData, refetchInterval: isMoving(campaign) && POLL_MS },
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

/** The levels of a factor that have results, as text. */
export function useLevels(campaign: Campaign, metric: string, factor: string) {
  return api.useQuery(
    "get",
    "/api/v1/campaigns/{campaign}/aggregate",
    { params: { path: { campaign: campaign.id }, query: { metric, rows: factor } } },
    { staleTime: POLL_MS },
  );
}

export function useCampaign(campaign: string) {
  return api.useQuery(
    "get",
    "/api/v1/campaigns/{campaign}",
    { params: { path: { campaign } } },
    { refetchInterval: ({ state: { data } }) => data && isMoving(data) && POLL_MS },
  );
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
