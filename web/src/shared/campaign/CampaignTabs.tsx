import { Tabs } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { ReactElement } from "react";

const TABS = [
  ["runs", "Runs"],
  ["results", "Results"],
  ["effects", "Effects"],
  ["experiment", "Experiment"],
  ["history", "History"],
] as const;
type CampaignTab = (typeof TABS)[number][0];

interface CampaignTabsProps {
  team: string;
  campaign: string;
  value: CampaignTab;
}

/** The parts of a campaign's page; each has an address. */
export function CampaignTabs({ team, campaign, value }: CampaignTabsProps): ReactElement {
  const navigate = useNavigate();
  const go = (tab: string | null): void => {
    const params = { team, campaign };
    if (tab === "results")
      void navigate({ to: "/teams/$team/campaigns/$campaign/results", params });
    else if (tab === "effects")
      void navigate({ to: "/teams/$team/campaigns/$campaign/effects", params });
    else
      void navigate({
        to: "/teams/$team/campaigns/$campaign",
        params,
        search: { tab: tab === "experiment" || tab === "history" ? tab : undefined },
      });
  };
  return (
    <Tabs value={value} onChange={go}>
      <Tabs.List style={{ flexWrap: "nowrap", overflowX: "auto", overflowY: "hidden" }}>
        {TABS.map(([tab, label]) => (
          <Tabs.Tab key={tab} value={tab}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  );
}
