import { api, type Schema } from "#/api/client";
import { PAGES } from "#/shared/paging/pages";

export type Card = Schema<"CardOut">;
export type CardDetail = Schema<"CardDetail">;

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

/** Where a card's picture is; of one that has any. */
export function pictureAddress({ id }: Pick<Card, "id">): string {
  return `/api/v1/cards/${id}/picture`;
}

/** Where the card is one HTML file. */
export function fileAddress({ id }: Pick<Card, "id">): string {
  return `/api/v1/cards/${id}/page`;
}
