import * as v from "valibot";
import { lenient } from "#/shared/search/lenient";
import { STATES } from "#/shared/theme/palette";

export const CAMPAIGN_STATES = [
  "expanding",
  "active",
  "paused",
  "finished",
  "cancelled",
  "refused",
  "deleting",
] as const;

/** Of the list: which campaigns. What does not fit is left out rather than an error. */
export const campaignsSearch = v.object({
  state: lenient(v.array(v.picklist(CAMPAIGN_STATES))),
  name: lenient(v.string()),
  tag: lenient(v.array(v.string())),
  archived: lenient(v.boolean()),
});

/** Of a campaign: which part of it, and which of its runs. levels: factor -> level as text. sort: a
 * column or a metric; `-` before it: falling. metrics: what is shown of each. */
export const campaignSearch = v.object({
  tab: lenient(v.picklist(["runs", "experiment", "history"])),
  state: lenient(v.array(v.picklist(STATES))),
  levels: lenient(v.record(v.string(), v.string())),
  sort: lenient(v.pipe(v.string(), v.regex(/^-?[a-z][a-z0-9_]*$/))),
  metrics: lenient(v.pipe(v.array(v.string()), v.maxLength(20))),
});

export type CampaignSearch = v.InferOutput<typeof campaignSearch>;
export type CampaignsSearch = v.InferOutput<typeof campaignsSearch>;
