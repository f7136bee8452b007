import { keepPreviousData } from "@tanstack/react-query";
import type { Range } from "#/shared/plots/stack/panel";
import { api, type Schema } from "#/api/client";
import { queryOf, type Part } from "#/shared/curves/part";
import { closePart, WHOLE } from "./parting";

export type Comparison = Schema<"Comparison">;
export type Pair = Schema<"Pair">;
export type Campaign = Schema<"CampaignOut">;

/** Nothing while none is chosen. */
export function useCampaign(campaign: string | undefined) {
  return api.useQuery(
    "get",
    "/api/v1/campaigns/{campaign}",
    { params: { path: { campaign: campaign ?? "" } } },
    { enabled: campaign !== undefined },
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

export function useComparison(a: string, b: string, metric: string, client: number | null) {
  return api.useQuery(
    "get",
    "/api/v1/compare",
    { params: { query: { a, b, metric, client: client ?? undefined } } },
    { placeholderData: keepPreviousData },
  );
}

/** Nothing while none is chosen. */
export function useRun(run: number | undefined) {
  return api.useQuery(
    "get",
    "/api/v1/runs/{run}",
    { params: { path: { run: run ?? 0 } } },
    { enabled: run !== undefined },
  );
}

export function useRunComparison(a: number, b: number) {
  return api.useQuery("get", "/api/v1/compare/runs", { params: { query: { a, b } } });
}

export type Partings = Schema<"RunPartings">;
export type Parting = Schema<"PartingOut">;
export type Curve = Schema<"CurveOut">;

/** What runs recorded never changes. */
export function useParting(a: number, b: number) {
  return api.useQuery(
    "get",
    "/api/v1/compare/runs/parting",
    { params: { query: { a, b } } },
    { staleTime: Infinity, retry: false },
  );
}

function usePart(run: number, part: Part) {
  return api.useQuery(
    "get",
    "/api/v1/runs/{run}/series",
    { params: { path: { run }, query: queryOf(part) } },
    { staleTime: Infinity },
  );
}

/** Curves for two runs beside each other. */
export function useCurves(run: number) {
  return usePart(run, WHOLE);
}

/** Single segments and packets of a part of a run. */
export function useCloseUp(run: number, range: Range) {
  return usePart(run, closePart(range));
}

export type Run = Schema<"RunOut">;

/** The first runs of a campaign to choose from; nothing while none is chosen. */
export function useRuns(campaign: string | undefined) {
  return api.useQuery(
    "get",
    "/api/v1/campaigns/{campaign}/runs",
    { params: { path: { campaign: campaign ?? "" }, query: { limit: 500 } } },
    { enabled: campaign !== undefined },
  );
}
