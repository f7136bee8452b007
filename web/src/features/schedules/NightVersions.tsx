import { Group, Text } from "@mantine/core";
import type { ReactElement } from "react";
import { api, type Schema } from "#/api/client";
import { minute } from "#/shared/time/format";
import { Subjects } from "#/shared/ui/Subjects";
import type { Board } from "./board";

type Campaign = Schema<"CampaignOut">;

function useCampaign(id: string | null): Campaign | undefined {
  const params = { path: { campaign: id ?? "" } };
  return api.useQuery("get", "/api/v1/campaigns/{campaign}", { params }, { enabled: id !== null })
    .data;
}

/** Which night it is, and which one it is compared with: when, and what was under test. */
export function NightVersions({ board }: { board: Board }): ReactElement | null {
  const night = useCampaign(board.campaign);
  const baseline = useCampaign(board.night?.baseline ?? null);
  if (night === undefined) return null;
  return (
    <Group gap={6}>
      <Text size="sm">{minute(night.created_at)}</Text>
      <Subjects of={night.subjects} />
      {baseline && (
        <>
          <Text size="sm" c="dimmed">
            beside {minute(baseline.created_at)}
          </Text>
          <Subjects of={baseline.subjects} />
        </>
      )}
    </Group>
  );
}
