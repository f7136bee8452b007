import { keepPreviousData } from "@tanstack/react-query";
import { api } from "#/api/client";

export function useCampaign(campaign: string) {
  return api.useQuery("get", "/api/v1/campaigns/{campaign}", { params: { path: { campaign } } });
}

/** The levels of a factor at which runs are, as text in the campaign's order. */
export function useGroups(campaign: string, factor: string, metric: string) {
  return api.useQuery(
    "get",
    "/api/v1/campaigns/{campaign}/aggregate",
    { params: { path: { campaign }, query: { metric, rows: factor } } },
    { staleTime: 10_000, enabled: factor !== "" },
  );
}

/** A metric by up to two factors. */
export function useMeans(
  campaign: string,
  metric: string,
  [rows, columns]: readonly string[],
  client: number | null,
) {
  const query = { metric, rows, columns, client: client ?? undefined };
  return api.useQuery(
    "get",
    "/api/v1/campaigns/{campaign}/aggregate",
    { params: { path: { campaign }, query } },
    { staleTime: 10_000, placeholderData: keepPreviousData },
  );
}

export function useScorecard(
  campaign: string,
  factor: string,
  level: string | undefined,
  client: number | null,
) {
  const query = { factor, against: level ?? "", client: client ?? undefined };
  return api.useQuery(
    "get",
    "/api/v1/campaigns/{campaign}/scorecard",
    { params: { path: { campaign }, query } },
    {
      enabled: level !== undefined,
      staleTime: 10_000,
      retry: false,
      placeholderData: keepPreviousData,
    },
  );
}
