/** The backend, typed from its OpenAPI document (`npm run api`). */
import createFetchClient from "openapi-fetch";
import createClient from "openapi-react-query";
import type { components, paths } from "./schema";

export const client = createFetchClient<paths>({
  baseUrl: window.location.origin,
  // Looked up at every call, as tests put another one in its place.
  fetch: (request) => globalThis.fetch(request),
  querySerializer: {
    array: { style: "form", explode: true },
    object: { style: "form", explode: true },
  },
});

/** Queries and mutations; their errors are problem details, or what fetch throws. */
export const api = createClient(client);

export type Schema<Name extends keyof components["schemas"]> = components["schemas"][Name];
