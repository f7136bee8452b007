import { Alert, Group, MultiSelect, Paper, Select, Stack, Text, Title } from "@mantine/core";
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
import { keptApart, useCampaign, useGroups, useRanked, useScorecard } from "./queries";
import type { EffectsSearch } from "./search";
import { Weighed } from "./Weighed";

const route = getRouteApi("/inside/teams/$team/campaigns/$campaign/effects");
/** Every run that succeeded has it: at which levels there are runs. */
const ANY_METRIC = "mean_bitrate_bps";

/** More columns than this nobody reads, and the API does not compare so many. */
const MOST_COMBINATIONS = 60;

/** others: in the campaign's order. ranked: with the largest effect first. */
function apartBy(
  { combination_count: combinations }: Campaign,
  others: readonly string[],
  ranked: readonly string[],
  asked: readonly string[] | undefined,
): readonly string[] {
  if (asked !== undefined) return others.filter((each) => asked.includes(each));
  if (combinations <= MOST_COMBINATIONS) return others;
  return ranked.filter((each) => others.includes(each)).slice(0, 1);
}

interface EffectsProps {
  campaign: Campaign;
  /** Its factors, with the largest effect first. */
  ranked: readonly string[];
  search: EffectsSearch;
  onChange: (next: EffectsSearch) => void;
}

function Scored({ campaign, found }: { campaign: string; found: Scorecard }): ReactElement {
  const card = useMemo(() => cardOf(found), [found]);
  if (card.rows.length === 0)
    return (
      <Alert variant="light">
        {found.scores.length === 0
          ? `Nothing to compare with ${found.level} yet: no run of another level has succeeded where all else is the same.`
          : "No metric differs between the levels."}
      </Alert>
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
            query: {
              factor: found.factor,
              against: found.level,
              by: keptApart(found.by),
              client: found.client,
            },
          }}
        />
      </Group>
      <HeatMap campaign={campaign} card={card} factor={found.factor} by={found.by} />
    </>
  );
}

function Effects({ campaign, ranked, search, onChange }: EffectsProps): ReactElement {
  const { factors } = campaign;
  const factor = factors.find((each) => each === search.factor) ?? factors[0] ?? "";
  const groups = useGroups(campaign.id, factor, ANY_METRIC);
  const levels = groups.data?.groups.map((group) => levelText(group.levels[factor])) ?? [];
  const level = levels.find((each) => each === search.level) ?? levels[0];
  const others = factors.filter((each) => each !== factor);
  const by = apartBy(campaign, others, ranked, search.by);
  const pooled = others.filter((each) => !by.includes(each));
  const card = useScorecard(campaign.id, factor, level, by, search.client ?? null);
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
        {others.length > 0 && (
          <MultiSelect
            label="Apart by"
            miw={220}
            placeholder={by.length === 0 ? "nothing: all pooled" : undefined}
            value={[...by]}
            data={others.map((path) => ({ value: path, label: shortFactor(path) }))}
            onChange={(next) => onChange({ by: next })}
          />
        )}
      </Group>
      <Title order={2}>
        {shortFactor(factor)} against {level ?? "…"}
      </Title>
      <Text size="xs" c="dimmed" mb="sm" maw={860}>
        Mean difference relative to {level ?? "it"} where all else is the same, over runs of one
        seed. Coloured: ▲ better or ▼ worse beyond chance, with at most 5 % of all coloured cells
        false (paired t-tests, Benjamini–Hochberg over the whole map). A click leads to the results.
        {pooled.length > 0 && ` Pooled over ${pooled.map(shortFactor).join(", ")}.`}
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
  const ranked = useRanked(id, campaign?.factors ?? [], ANY_METRIC);
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
        <Loaded query={{ data: ranked, error: null, refetch: () => null }} height={420}>
          {(factors) => (
            <Stack gap="md">
              <Effects campaign={campaign} ranked={factors} search={search} onChange={change} />
              <Loaded query={choices} height={320}>
                {({ metrics }) => (
                  <Weighed
                    campaign={campaign}
                    factors={factors.slice(0, 2)}
                    pooled={factors.slice(2)}
                    metrics={metrics}
                    search={search}
                    onChange={change}
                  />
                )}
              </Loaded>
            </Stack>
          )}
        </Loaded>
      )}
    </Page>
  );
}
