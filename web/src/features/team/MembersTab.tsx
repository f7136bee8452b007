import { Stack } from "@mantine/core";
import type { ReactElement } from "react";
import { useMay, useMe } from "#/shared/session/session";
import { Members } from "./Members";
import { Quotas } from "./Quotas";

export function MembersTab({ team }: { team: string }): ReactElement {
  const isAdmin = useMay("admin");
  const { is_admin: ofInstallation } = useMe();
  return (
    <Stack>
      <Quotas team={team} />
      <Members team={team} mayChange={isAdmin || ofInstallation} />
    </Stack>
  );
}
