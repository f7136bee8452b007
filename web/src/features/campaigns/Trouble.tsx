import { Alert } from "@mantine/core";
import type { ReactElement } from "react";
import { api } from "#/api/client";
import { Time } from "#/shared/time/Time";
import type { Poll } from "./queries";

/** What keeps a campaign on a cluster from going on, the last that was told; nothing elsewhere. */
export function Trouble(props: { campaign: string; poll: Poll }): ReactElement | null {
  const { campaign, poll } = props;
  const { data } = api.useQuery(
    "get",
    "/api/v1/campaigns/{campaign}/history",
    { params: { path: { campaign }, query: { kind: ["campaign.trouble"], limit: 1 } } },
    { refetchInterval: poll },
  );
  const last = data?.items[0];
  if (last === undefined) return null;
  const { reason } = last.data;
  return (
    <Alert variant="light" color="yellow" py="xs" title="Trouble on the cluster">
      {typeof reason === "string" && reason}, <Time at={last.at} />.
    </Alert>
  );
}
