import { Alert, Group, Paper, Select, Stack, Text, Title } from "@mantine/core";
import { IconChartDots } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo, type ReactElement } from "react";
import { CampaignBadge } from "#/shared/campaign/CampaignBadge";
import { CampaignTabs } from "#/shared/campaign/CampaignTabs";
import type { Campaign } from "#/shared/campaign/moving";
import { CopyMenu } from "#/shared/copy/CopyMenu";
import { shortFactor } from "#/shared/levels/factor";
import { levelText } from "#/shared/levels/text";
import { useChoices } from "#/shared/metrics/metrics";
import { Empty } from "#/shared/ui/Empty";
import { Loaded } from "#/shared/ui/Loaded";
import { Page } from "#/shared/ui/Page";
import { cardOf, tableOf, type Scorecard } from "./card";
import { HeatMap } from "./HeatMap";
import { useCampaign, useGroups, useScorecard } from "./queries";
import type { EffectsSearch } from "./search";
import { Weighed } from "./Weighed";

const route = getRouteApi("/inside/teams/$team/campaigns/$campaign/effects");
/** Every run that succeeded has it: at which levels there are runs. */
const ANY_METRIC = "mean_bitrate_bps";

interface EffectsProps {
  campaign: Campaign;
  search: EffectsSearch;
  onChange: (next: EffectsSearch) => void;
}

function Scored({ campaign, found }: { campaign: string; found: Scorecard }): ReactElement {
  const card = useMemo(() => cardOf(found), [found]);
  if (card.rows.length === 0)
    return (
      <Alert variant="light">No metric differs between the levels, or none was measured.</Alert>
    );
  return (
    <>
      <Group justify="flex-end" mb={4}>
        <CopyMenu
          title={`${shortFactor(found.factor)} against ${found.level}`}
          table={() => tableOf(card)}
          asked={{
            path: `/api/v1/campaigns/${campaign}/scorecard`,
            call: "score_levels",
            of: [campaign],
            query: { factor: found.factor, against: found.level, client: found.client },
          }}
        />
      </Group>
      <HeatMap campaign={campaign} card={card} factor={found.factor} by={found.by} />
    </>
  );
}

function Effects({ campaign, search, onChange }: EffectsProps): ReactElement {
  const { factors } = campaign;
  const factor = factors.find((each) => each === search.factor) ?? factors[0] ?? "";
  const groups = useGroups(campaign.id, factor, ANY_METRIC);
  const levels = groups.data?.groups.map((group) => levelText(group.levels[factor])) ?? [];
  const level = levels.find((each) => each === search.level) ?? levels[0];
  const card = useScorecard(campaign.id, factor, level, search.client ?? null);
  return (
    <Paper p="md">
      <Group gap="sm" align="flex-end" mb="sm">
        <Select
          label="Factor"
          w={220}
          allowDeselect={false}
          value={factor}
          data={factors.map((path) => ({ value: path, label: shortFactor(path) }))}
          onChange={(path) => path !== null && onChange({ factor: path, level: undefined })}
        />
        <Select
          label="Against"
          w={220}
          allowDeselect={false}
          value={level ?? null}
          data={levels}
          onChange={(next) => next !== null && onChange({ level: next })}
        />
      </Group>
      <Title order={2}>
        {shortFactor(factor)} against {level ?? "…"}
      </Title>
      <Text size="xs" c="dimmed" mb="sm" maw={860}>
        Mean difference relative to {level ?? "it"} where all else is the same, over runs of one
        seed. Coloured: ▲ better or ▼ worse beyond chance, with at most 5 % of all coloured cells
        false (paired t-tests, Benjamini–Hochberg over the whole map). A click leads to the results.
      </Text>
      <Loaded query={card} height={420}>
        {(found) => (
          <div style={{ opacity: card.isPlaceholderData ? 0.55 : 1 }}>
            <Scored campaign={campaign.id} found={found} />
          </div>
        )}
      </Loaded>
    </Paper>
  );
}

/** What a campaign's factors do to all metrics at once. */
export function EffectsPage(): ReactElement {
  const { team, campaign: id } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useCampaign(id);
  const choices = useChoices();
  const campaign = query.data;
  if (campaign === undefined)
    return (
      <Page title="Effects">
        <Loaded query={query} height={420}>
          {() => null}
        </Loaded>
      </Page>
    );
  const change = (next: EffectsSearch): void => {
    void navigate({
      search: (before) => ({ ...before, ...next }),
      replace: true,
      resetScroll: false,
    });
  };
  return (
    <Page title={campaign.name} beside={<CampaignBadge campaign={campaign} />}>
      <CampaignTabs team={team} campaign={id} value="effects" />
      {campaign.factors.length === 0 || (campaign.counts.succeeded ?? 0) === 0 ? (
        <Paper>
          <Empty icon={<IconChartDots size={36} stroke={1.4} />} title="No effects to show">
            {campaign.factors.length === 0
              ? "This campaign varies nothing."
              : "They come with the first runs that succeed."}
          </Empty>
        </Paper>
      ) : (
        <Stack gap="md">
          <Effects campaign={campaign} search={search} onChange={change} />
          <Loaded query={choices} height={320}>
            {({ metrics }) => (
              <Weighed
                campaign={campaign}
                factors={campaign.factors.slice(0, 2)}
                metrics={metrics}
                search={search}
                onChange={change}
              />
            )}
          </Loaded>
        </Stack>
      )}
    </Page>
  );
}
