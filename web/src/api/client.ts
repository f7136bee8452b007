/** The backend, typed from its OpenAPI document (`npm run api`). */
import createFetchClient from "openapi-fetch";
import createClient from "openapi-react-query";
import type { components, paths } from "./schema";

/** No answer came to a request. */
export class NoAnswer extends Error {}

async function answered(request: Request): Promise<Response> {
  try {
    // Looked up at every call, as tests put another one in its place.
    return await globalThis.fetch(request);
  } catch (cause) {
    throw cause instanceof TypeError ? new NoAnswer(cause.message, { cause }) : cause;
  }
}

export const client = createFetchClient<paths>({
  baseUrl: window.location.origin,
  fetch: answered,
  querySerializer: {
    array: { style: "form", explode: true },
    object: { style: "form", explode: true },
  },
});

/** Queries and mutations; their errors are problem details, or what fetch throws. */
export const api = createClient(client);

export type Schema<Name extends keyof components["schemas"]> = components["schemas"][Name];
