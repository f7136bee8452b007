import * as v from "valibot";

export const TEAM_TABS = ["members", "tokens", "webhooks", "audit"] as const;
export const INSTALLATION_TABS = ["users", "teams", "workers", "audit"] as const;

export const teamSearch = v.object({
  tab: v.optional(v.fallback(v.optional(v.picklist(TEAM_TABS)), undefined)),
  action: v.optional(v.fallback(v.optional(v.string()), undefined)),
});

export const installationSearch = v.object({
  tab: v.optional(v.fallback(v.optional(v.picklist(INSTALLATION_TABS)), undefined)),
  action: v.optional(v.fallback(v.optional(v.string()), undefined)),
});
