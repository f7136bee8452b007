import * as v from "valibot";

/** An optional search parameter; what does not fit is left out rather than an error. */
export function lenient<const TSchema extends v.GenericSchema>(schema: TSchema) {
  return v.optional(v.fallback(v.optional(schema), undefined));
}
