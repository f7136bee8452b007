import * as v from "valibot";
import { lenient } from "#/shared/search/lenient";

const runId = v.pipe(v.number(), v.integer(), v.minValue(1));

/** a, b: campaigns. */
export const compareSearch = v.object({
  a: lenient(v.pipe(v.string(), v.uuid())),
  b: lenient(v.pipe(v.string(), v.uuid())),
  metric: lenient(v.string()),
  client: lenient(v.pipe(v.number(), v.integer(), v.minValue(1))),
});

export const compareRunsSearch = v.object({ a: lenient(runId), b: lenient(runId) });

export type CompareSearch = v.InferOutput<typeof compareSearch>;
