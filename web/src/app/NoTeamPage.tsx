import { IconUsersGroup } from "@tabler/icons-react";
import type { ReactElement } from "react";
import { useMe } from "#/shared/session/session";
import { Empty } from "#/shared/ui/Empty";
import { Page } from "#/shared/ui/Page";

/** For those who are in no team yet. */
export function NoTeamPage(): ReactElement {
  const { email } = useMe();
  return (
    <Page title="Welcome">
      <Empty icon={<IconUsersGroup size={36} stroke={1.4} />} title="You are in no team yet">
        Campaigns belong to teams. Ask an administrator of a team to add {email}.
      </Empty>
    </Page>
  );
}
