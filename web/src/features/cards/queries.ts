import { api, type Schema } from "#/api/client";
import { PAGES } from "#/shared/paging/pages";

export type Card = Schema<"CardOut">;
export type CardDetail = Schema<"CardDetail">;
export type Reproduction = Schema<"ReproductionOut">;

const PAGE = 50;

export function useCards(team: string) {
  return api.useInfiniteQuery(
    "get",
    "/api/v1/teams/{team}/cards",
    { params: { path: { team }, query: { limit: PAGE } } },
    PAGES,
  );
}

export function useCard(card: string) {
  return api.useQuery("get", "/api/v1/cards/{card}", { params: { path: { card } } });
}

const POLL_MS = 2_000;

/** The card's runs, carried out again at the server: newest first, and looked at while one is. */
export function useReproductions(card: string) {
  return api.useQuery(
    "get",
    "/api/v1/cards/{card}/reproductions",
    { params: { path: { card }, query: { limit: 20 } } },
    { refetchInterval: ({ state }) => (state.data?.items[0]?.verdict === null ? POLL_MS : false) },
  );
}

/** What that would cost now. */
export function useReproductionEstimate(card: string) {
  return api.useQuery(
    "get",
    "/api/v1/cards/{card}/reproductions/estimate",
    { params: { path: { card } } },
    { staleTime: 0, gcTime: 0 },
  );
}

/** Where a card's picture is; of one that has any. */
export function pictureAddress({ id }: Pick<Card, "id">): string {
  return `/api/v1/cards/${id}/picture`;
}

/** Where the card is one HTML file. */
export function fileAddress({ id }: Pick<Card, "id">): string {
  return `/api/v1/cards/${id}/page`;
}
