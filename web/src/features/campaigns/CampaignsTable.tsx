import { Anchor, Group, Paper, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { CampaignBadge } from "#/shared/campaign/CampaignBadge";
import { carriedOut, type Campaign } from "#/shared/campaign/moving";
import { StateBar } from "#/shared/states/StateBar";
import { Time } from "#/shared/time/Time";
import { DataTable, type Column } from "#/shared/ui/DataTable";
import { count, duration } from "#/shared/units/format";
import { Tags } from "./Said";

function took({ started_at: from, ended_at: to }: Campaign): string {
  return from !== null && to !== null ? duration((Date.parse(to) - Date.parse(from)) / 1000) : "–";
}

function columnsOf(team: string): Column<Campaign>[] {
  return [
    {
      name: "Name",
      cell: ({ id, name, description, tags }) => (
        <>
          <Anchor
            fw={550}
            renderRoot={(props) => (
              <Link
                to="/teams/$team/campaigns/$campaign"
                params={{ team, campaign: id }}
                {...props}
              />
            )}
          >
            {name}
          </Anchor>{" "}
          <Tags tags={tags} />
          <Text size="xs" c="dimmed" lineClamp={1} maw={640}>
            {description}
          </Text>
        </>
      ),
    },
    { name: "State", w: 150, cell: (campaign) => <CampaignBadge campaign={campaign} /> },
    {
      name: "Runs",
      w: 220,
      from: "sm",
      folded: true,
      cell: (campaign) => <Runs campaign={campaign} />,
    },
    { name: "Took", w: 110, from: "md", cell: took },
    { name: "Submitted", w: 120, from: "xs", cell: ({ created_at: at }) => <Time at={at} /> },
  ];
}

function Runs({ campaign }: { campaign: Campaign }): ReactElement {
  const { counts, run_count: of } = campaign;
  const failed = (counts.failed ?? 0) + (counts.invalid ?? 0);
  return (
    <>
      <StateBar counts={counts} of={of} />
      <Group justify="space-between" gap="xs" mt={3}>
        <Text size="xs" c="dimmed">
          {count(carriedOut(counts))} of {count(of)}
          {campaign.searching && " so far"}
        </Text>
        {failed > 0 && (
          <Text size="xs" c="var(--weir-failed)">
            {count(failed)} failed or invalid
          </Text>
        )}
      </Group>
    </>
  );
}

export function CampaignsTable({
  team,
  campaigns,
}: {
  team: string;
  campaigns: readonly Campaign[];
}): ReactElement {
  return (
    <Paper style={{ overflow: "hidden" }}>
      <DataTable columns={columnsOf(team)} rows={campaigns} keyOf={({ id }) => id} />
    </Paper>
  );
}
