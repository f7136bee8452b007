/** For `useInfiniteQuery` over the API's pages: each names the cursor of the next. */
export const PAGES = {
  pageParamName: "cursor",
  // Not undefined, for which openapi-react-query would send a 0.
  initialPageParam: null,
  getNextPageParam: ({ next }: { next?: string | null }): string | undefined => next ?? undefined,
} as const;
