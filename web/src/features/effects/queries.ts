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

/** The factors by what they do to a metric, the largest effect first; in the campaign's order where
 * there is nothing to choose between, or where it cannot be told. undefined: not known yet. */
export function useRanked(
  campaign: string,
  factors: readonly string[],
  metric: string,
): readonly string[] | undefined {
  const isAsked = factors.length > 2;
  const { data, isError } = api.useQuery(
    "get",
    "/api/v1/campaigns/{campaign}/effects",
    { params: { path: { campaign }, query: { metric } } },
    // What is kept apart does not change under a reader's eyes as runs come.
    { enabled: isAsked, staleTime: Infinity, retry: false },
  );
  if (!isAsked || isError) return factors;
  return data?.effects.map(({ factor }) => factor);
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

/** As the API wants it: an empty name keeps nothing apart, none at all keeps everything. */
export function keptApart(by: readonly string[]): string[] {
  return by.length === 0 ? [""] : [...by];
}

export function useScorecard(
  campaign: string,
  factor: string,
  level: string | undefined,
  by: readonly string[],
  client: number | null,
) {
  const query = {
    factor,
    against: level ?? "",
    by: keptApart(by),
    client: client ?? undefined,
  };
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
