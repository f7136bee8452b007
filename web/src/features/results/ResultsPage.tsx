import { Anchor, Button, Skeleton, Text } from "@mantine/core";
import { IconFileText, IconGitCompare, IconTableDown } from "@tabler/icons-react";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { CampaignBadge } from "#/shared/campaign/CampaignBadge";
import { CampaignTabs } from "#/shared/campaign/CampaignTabs";
import type { Campaign } from "#/shared/campaign/moving";
import { byName, useChoices } from "#/shared/metrics/metrics";
import { Loaded } from "#/shared/ui/Loaded";
import { Page } from "#/shared/ui/Page";
import { Controls } from "./Controls";
import { Measured } from "./Measured";
import { useCampaign, useEffects } from "./queries";
import { asked, FIRST_METRIC, type ResultsSearch } from "./search";

const route = getRouteApi("/inside/teams/$team/campaigns/$campaign/results");

function Actions({ campaign }: { campaign: Campaign }): ReactElement {
  const { team } = route.useParams();
  const base = `/api/v1/campaigns/${campaign.id}`;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconGitCompare size={15} />}
        renderRoot={(props) => (
          <Link
            to="/teams/$team/compare"
            params={{ team }}
            search={{ a: campaign.id }}
            {...props}
          />
        )}
      >
        Compare
      </Button>
      <Button
        component="a"
        href={`${base}/table.csv`}
        variant="default"
        leftSection={<IconTableDown size={15} />}
      >
        All as CSV
      </Button>
      <Button
        component="a"
        href={`${base}/report.html`}
        target="_blank"
        rel="noopener"
        variant="default"
        leftSection={<IconFileText size={15} />}
      >
        Report
      </Button>
    </>
  );
}

/** A metric of a campaign by two of its factors, as numbers and as pictures. */
export function ResultsPage(): ReactElement {
  const { team, campaign: id } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { query, poll } = useCampaign(id);
  const choices = useChoices();
  const campaign = query.data;
  const effects = useEffects(campaign, search.metric ?? FIRST_METRIC, search.client ?? null);
  if (campaign === undefined)
    return (
      <Page title="Results">
        <Loaded query={query} height={320}>
          {() => null}
        </Loaded>
      </Page>
    );
  const change = (next: ResultsSearch): void => {
    void navigate({
      search: (before) => ({ ...before, ...next }),
      replace: true,
      resetScroll: false,
    });
  };
  const byEffect = effects.data?.effects.map(({ factor }) => factor);
  const now = asked(search, byEffect ?? campaign.factors);
  return (
    <Page
      title={campaign.name}
      beside={<CampaignBadge campaign={campaign} />}
      actions={<Actions campaign={campaign} />}
    >
      <CampaignTabs team={team} campaign={id} value="results" />
      <Loaded query={choices} height={320}>
        {({ metrics }) => {
          const metric = byName(metrics).get(now.metric);
          if (effects.isLoading)
            return <Skeleton height={320} role="status" aria-busy aria-label="Loading" />;
          return (
            <>
              {campaign.has_search && (
                <Text size="sm" c="dimmed">
                  Of every run that was tried. The report is of the levels found.
                </Text>
              )}
              <Controls campaign={campaign} metrics={metrics} asked={now} onChange={change} />
              {metric === undefined ? (
                <p>
                  There is no metric <code>{now.metric}</code>.{" "}
                  <Anchor component="button" onClick={() => change({ metric: undefined })}>
                    Show mean bitrates
                  </Anchor>
                </p>
              ) : (
                <Measured
                  campaign={campaign}
                  metric={metric}
                  asked={now}
                  search={search}
                  poll={poll}
                  onChange={change}
                />
              )}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
