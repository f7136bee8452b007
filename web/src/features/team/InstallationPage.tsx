import { Paper, Tabs } from "@mantine/core";
import { IconLock } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { useMe } from "#/shared/session/session";
import { Empty } from "#/shared/ui/Empty";
import { Page } from "#/shared/ui/Page";
import { InstallationAudit } from "./audit";
import { INSTALLATION_TABS } from "./search";
import { TeamsTab } from "./TeamsTab";
import { UsersTab } from "./UsersTab";
import { WorkersTab } from "./WorkersTab";

const route = getRouteApi("/inside/installation");

const LABELS: Record<(typeof INSTALLATION_TABS)[number], string> = {
  users: "Users",
  teams: "Teams",
  workers: "Workers",
  audit: "Audit",
};

/** Users, teams and workers, for administrators of the installation. */
export function InstallationPage(): ReactElement {
  const { tab = "users", action } = route.useSearch();
  const navigate = route.useNavigate();
  const { is_admin: isAdmin } = useMe();
  if (!isAdmin)
    return (
      <Page title="Installation">
        <Paper>
          <Empty
            icon={<IconLock size={36} stroke={1.4} />}
            title="For administrators of the installation"
          >
            They manage users, teams and quotas.
          </Empty>
        </Paper>
      </Page>
    );
  return (
    <Page title="Installation">
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(next) =>
          void navigate({ search: { tab: INSTALLATION_TABS.find((each) => each === next) } })
        }
      >
        <Tabs.List mb="md">
          {INSTALLATION_TABS.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {LABELS[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="users">
          <UsersTab />
        </Tabs.Panel>
        <Tabs.Panel value="teams">
          <TeamsTab />
        </Tabs.Panel>
        <Tabs.Panel value="workers">
          <WorkersTab />
        </Tabs.Panel>
        <Tabs.Panel value="audit">
          <InstallationAudit
            noun={action}
            onNoun={(noun) => void navigate({ search: { tab, action: noun }, replace: true })}
          />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}
