import * as v from "valibot";
import { lenient } from "#/shared/search/lenient";

const positive = v.pipe(v.number(), v.integer(), v.minValue(1));

/** Which runs of a campaign lie over each other: those at some levels (factor -> level as text), or
 * some by their numbers. metric, rank: by which one is typical. client: whose curves. run: the one
 * that was clicked. from, to: the part of the time that is shown, s. */
export const overlaySearch = v.object({
  levels: lenient(v.record(v.string(), v.string())),
  runs: lenient(v.array(positive)),
  metric: lenient(v.string()),
  rank: lenient(positive),
  client: lenient(positive),
  run: lenient(positive),
  from: lenient(v.pipe(v.number(), v.minValue(0))),
  to: lenient(v.pipe(v.number(), v.minValue(0))),
});

export type OverlaySearch = v.InferOutput<typeof overlaySearch>;
