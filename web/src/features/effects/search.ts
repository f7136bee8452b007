import * as v from "valibot";
import { lenient } from "#/shared/search/lenient";

/** factor, level: what all else is compared with; by: factors whose levels are kept apart. x, y: the two metrics that are weighed. */
export const effectsSearch = v.object({
  factor: lenient(v.string()),
  level: lenient(v.string()),
  by: lenient(v.array(v.string())),
  client: lenient(v.pipe(v.number(), v.integer(), v.minValue(1))),
  x: lenient(v.string()),
  y: lenient(v.string()),
});

export type EffectsSearch = v.InferOutput<typeof effectsSearch>;
