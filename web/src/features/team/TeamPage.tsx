import { Tabs } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { useMe } from "#/shared/session/session";
import { Page } from "#/shared/ui/Page";
import { TeamAudit } from "./audit";
import { MembersTab } from "./MembersTab";
import { TEAM_TABS } from "./search";
import { TokensTab } from "./TokensTab";
import { WebhooksTab } from "./WebhooksTab";

const route = getRouteApi("/inside/teams/$team/settings");

const LABELS: Record<(typeof TEAM_TABS)[number], string> = {
  members: "Members",
  tokens: "Tokens",
  webhooks: "Webhooks",
  audit: "Audit",
};

/** A team: who is in it, what it may use, who else may use it, and who did what. */
export function TeamPage(): ReactElement {
  const { team } = route.useParams();
  const { tab = "members", action } = route.useSearch();
  const navigate = route.useNavigate();
  const name = useMe().teams.find(({ slug }) => slug === team)?.name ?? team;
  return (
    <Page title={name}>
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(next) =>
          void navigate({ search: { tab: TEAM_TABS.find((each) => each === next) } })
        }
      >
        <Tabs.List mb="md">
          {TEAM_TABS.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {LABELS[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="members">
          <MembersTab team={team} />
        </Tabs.Panel>
        <Tabs.Panel value="tokens">
          <TokensTab team={team} />
        </Tabs.Panel>
        <Tabs.Panel value="webhooks">
          <WebhooksTab team={team} />
        </Tabs.Panel>
        <Tabs.Panel value="audit">
          <TeamAudit
            team={team}
            noun={action}
            onNoun={(noun) => void navigate({ search: { tab, action: noun }, replace: true })}
          />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
