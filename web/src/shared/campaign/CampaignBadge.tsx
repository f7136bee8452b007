import type { ReactElement } from "react";
import { StateBadge } from "#/shared/states/StateBadge";
import { count } from "#/shared/units/format";
import type { Campaign } from "./moving";

type Shown = Pick<Campaign, "state" | "counts">;

/** A campaign's state; of a finished one also whether its runs succeeded. */
export function CampaignBadge({ campaign: { state, counts } }: { campaign: Shown }): ReactElement {
  const failed = counts.failed ?? 0;
  const bad = failed + (counts.invalid ?? 0);
  if (state !== "finished" || bad === 0) return <StateBadge state={state} />;
  const all = (counts.succeeded ?? 0) === 0;
  return (
    <StateBadge
      state={all || failed > 0 ? "failed" : "invalid"}
      text={all ? "finished, none succeeded" : `finished, ${count(bad)} did not succeed`}
    />
  );
}
