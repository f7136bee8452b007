import * as v from "valibot";
import { lenient } from "#/shared/search/lenient";
import { PANELS } from "./panels";

export const TABS = ["plots", "metrics", "checks", "provenance", "files"] as const;
export type Tab = (typeof TABS)[number];

/** from, to: the part of the time that is shown, s. clients: whose curves; all without it. */
export const runSearch = v.object({
  tab: lenient(v.picklist(TABS)),
  from: lenient(v.pipe(v.number(), v.minValue(0))),
  to: lenient(v.pipe(v.number(), v.minValue(0))),
  panels: lenient(v.array(v.picklist(PANELS))),
  clients: lenient(v.array(v.pipe(v.number(), v.integer(), v.minValue(1)))),
});

export type RunSearch = v.InferOutput<typeof runSearch>;
