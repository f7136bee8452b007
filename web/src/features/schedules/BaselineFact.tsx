import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { api } from "#/api/client";
import { BASELINES, baselineWords } from "#/shared/schedule/words";
import { Subjects } from "#/shared/ui/Subjects";
import type { Schedule } from "./queries";

/** What a schedule's campaigns are compared with; of a campaign, what it ran. */
export function BaselineFact({
  team,
  schedule: { baseline },
}: {
  team: string;
  schedule: Schedule;
}): ReactElement {
  const chosen = !(baseline in BASELINES);
  const found = api.useQuery(
    "get",
    "/api/v1/campaigns/{campaign}",
    { params: { path: { campaign: baseline } } },
    { enabled: chosen },
  );
  const words = baselineWords(baseline);
  if (!chosen) return <>{words}</>;
  return (
    <>
      <Anchor
        renderRoot={(props) => (
          <Link
            to="/teams/$team/campaigns/$campaign"
            params={{ team, campaign: baseline }}
            {...props}
          />
        )}
      >
        {words}
      </Anchor>{" "}
      {found.data && <Subjects of={found.data.subjects} />}
    </>
  );
}
