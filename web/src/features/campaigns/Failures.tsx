import { Anchor, Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactElement } from "react";
import { api } from "#/api/client";
import type { Campaign } from "#/shared/campaign/moving";
import { StateBadge } from "#/shared/states/StateBadge";
import { count } from "#/shared/units/format";
import type { Poll } from "./queries";
import { byReason } from "./reasons";

const LOOKED_AT = 200;

interface FailuresProps {
  campaign: Campaign;
  poll: Poll;
  onShow: (state: "failed" | "invalid") => void;
}

/** What went wrong, before anything else: each reason once, the most frequent first. */
export function Failures({ campaign, poll, onShow }: FailuresProps): ReactElement | null {
  const bad = (campaign.counts.failed ?? 0) + (campaign.counts.invalid ?? 0);
  const { data } = api.useQuery(
    "get",
    "/api/v1/campaigns/{campaign}/runs",
    {
      params: {
        path: { campaign: campaign.id },
        query: { state: ["failed", "invalid"], limit: LOOKED_AT },
      },
    },
    { enabled: bad > 0, refetchInterval: poll },
  );
  if (bad === 0 || data === undefined) return null;
  return (
    <Paper p="md" style={{ borderColor: "var(--weir-failed)" }}>
      <Title order={2} mb="xs">
        {count(bad)} of {count(campaign.run_count)} runs did not succeed
      </Title>
      <Stack gap={6}>
        {byReason(data.items).map(({ state, reason, runs }) => (
          <Group key={`${state} ${reason}`} gap="sm" wrap="nowrap" align="baseline">
            <Text size="sm" w={90} style={{ flex: "none" }} component="div">
              <StateBadge state={state} />
            </Text>
            <Text size="sm" style={{ overflowWrap: "anywhere", flex: 1 }}>
              {reason}
            </Text>
            <Anchor
              component="button"
              size="sm"
              style={{ flex: "none" }}
              onClick={() => onShow(state)}
            >
              {count(runs)}
              {bad > LOOKED_AT ? "+" : ""} {runs === 1 ? "run" : "runs"}
            </Anchor>
          </Group>
        ))}
      </Stack>
    </Paper>
  );
}
