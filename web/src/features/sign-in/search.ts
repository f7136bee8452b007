import * as v from "valibot";

/** after: where to go then; only addresses of this site. */
export const signInSearch = v.object({
  after: v.optional(v.fallback(v.pipe(v.string(), v.maxLength(500), v.regex(/^\/(?![/\\])/)), "/")),
});
