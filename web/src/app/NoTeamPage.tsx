import { Button } from "@mantine/core";
import { IconUsersGroup } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { useMe } from "#/shared/session/session";
import { Empty } from "#/shared/ui/Empty";
import { Page } from "#/shared/ui/Page";

/** For those who are in no team yet. */
export function NoTeamPage(): ReactElement {
  const { email, is_admin: isAdmin } = useMe();
  return (
    <Page title="Welcome">
      <Empty icon={<IconUsersGroup size={36} stroke={1.4} />} title="You are in no team yet">
        {isAdmin ? (
          <>
            Campaigns belong to teams. Make one, and add {email} by its button Members.
            <Button
              mt="sm"
              display="block"
              mx="auto"
              w="fit-content"
              renderRoot={(props) => <Link to="/installation" {...props} />}
            >
              To the teams
            </Button>
          </>
        ) : (
          <>Campaigns belong to teams. Ask an administrator of a team to add {email}.</>
        )}
      </Empty>
    </Page>
  );
}
