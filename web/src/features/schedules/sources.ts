/** What a new schedule may submit: a campaign of the team's, or a shipped one. */
import { api, type Schema } from "#/api/client";

type Campaign = Pick<Schema<"NewSchedule">, "campaign" | "campaign_id">;

export interface Source {
  value: string;
  label: string;
  name: string;
  campaign: Campaign;
}

const PAST = 50;

export function useSources(team: string, enabled: boolean) {
  const past = api.useQuery(
    "get",
    "/api/v1/teams/{team}/campaigns",
    { params: { path: { team }, query: { limit: PAST } } },
    { enabled },
  );
  const shipped = api.useQuery("get", "/api/v1/library/campaigns", undefined, {
    enabled,
    staleTime: Infinity,
  });
  const ofTeam = (past.data?.items ?? []).map(({ id, name, created_at }): Source => ({
    value: id,
    label: `${name} of ${new Date(created_at).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" })}`,
    name,
    campaign: { campaign_id: id },
  }));
  const ofWeir = (shipped.data ?? []).map(({ path, name, document, files }): Source => ({
    value: path,
    label: name,
    name,
    campaign: { campaign: { document, files, overrides: {}, priority: 0 } },
  }));
  return { ofTeam, ofWeir, error: past.error ?? shipped.error };
}
