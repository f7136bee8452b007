import * as v from "valibot";
import { STATES } from "#/shared/theme/palette";

export const CAMPAIGN_STATES = [
  "expanding",
  "active",
  "paused",
  "finished",
  "cancelled",
  "refused",
] as const;

/** Of the list: which campaigns. What does not fit is left out rather than an error. */
export const campaignsSearch = v.object({
  state: v.optional(v.fallback(v.optional(v.array(v.picklist(CAMPAIGN_STATES))), undefined)),
  name: v.optional(v.fallback(v.optional(v.string()), undefined)),
});

export const RUN_SORTS = ["position", "started", "wall_s", "-started", "-wall_s"] as const;

/** Of a campaign: which part of it, and which of its runs. levels: factor -> level as text. */
export const campaignSearch = v.object({
  tab: v.optional(v.fallback(v.optional(v.picklist(["runs", "experiment", "history"])), undefined)),
  state: v.optional(v.fallback(v.optional(v.array(v.picklist(STATES))), undefined)),
  levels: v.optional(v.fallback(v.optional(v.record(v.string(), v.string())), undefined)),
  sort: v.optional(v.fallback(v.optional(v.picklist(RUN_SORTS)), undefined)),
});

export type CampaignSearch = v.InferOutput<typeof campaignSearch>;
