import * as v from "valibot";
import { lenient } from "#/shared/search/lenient";

/** trend: whose nights are drawn; without it those of the first metric that is worse. */
export const scheduleSearch = v.object({
  trend: lenient(v.pipe(v.number(), v.integer(), v.minValue(1))),
});
