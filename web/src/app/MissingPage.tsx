import { Anchor } from "@mantine/core";
import { IconMapOff } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { Empty } from "#/shared/ui/Empty";
import { Page } from "#/shared/ui/Page";

/** Stands outside the shell: nobody need be signed in to have a wrong address. */
export function MissingPage(): ReactElement {
  return (
    <main>
      <Page title="No such page">
        <Empty
          icon={<IconMapOff size={36} stroke={1.4} />}
          title="There is nothing at this address"
        >
          <Anchor component={Link} to="/">
            Go to your campaigns
          </Anchor>
        </Empty>
      </Page>
    </main>
  );
}
