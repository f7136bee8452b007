import * as v from "valibot";
import { lenient } from "#/shared/search/lenient";

const word = lenient(v.string());

/** What to begin from: a shipped campaign's path, a past campaign, or what a schedule submits. */
export const newCampaignSearch = v.object({ shipped: word, campaign: word, schedule: word });

export type NewCampaignSearch = v.InferOutput<typeof newCampaignSearch>;
