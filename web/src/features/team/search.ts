import * as v from "valibot";
import { lenient } from "#/shared/search/lenient";

export const TEAM_TABS = ["members", "tokens", "webhooks", "audit"] as const;
export const INSTALLATION_TABS = ["users", "teams", "workers", "audit"] as const;

export const teamSearch = v.object({
  tab: lenient(v.picklist(TEAM_TABS)),
  action: lenient(v.string()),
});

export const installationSearch = v.object({
  tab: lenient(v.picklist(INSTALLATION_TABS)),
  action: lenient(v.string()),
});
