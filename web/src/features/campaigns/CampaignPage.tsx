import { Alert, Paper, Stack, Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { useCallback, type ReactElement } from "react";
import { CampaignBadge } from "#/shared/campaign/CampaignBadge";
import { CampaignTabs } from "#/shared/campaign/CampaignTabs";
import { isMoving, type Campaign } from "#/shared/campaign/moving";
import { ProblemAlert } from "#/shared/errors/ProblemAlert";
import { useLastLook } from "#/shared/live/useLastLook";
import type { Combination } from "#/shared/states/grid";
import { StateGrid } from "#/shared/states/StateGrid";
import { levelText } from "#/shared/levels/text";
import { Loaded } from "#/shared/ui/Loaded";
import { Page } from "#/shared/ui/Page";
import { Answer } from "./answer/Answer";
import { CampaignActions } from "./CampaignActions";
import { ExperimentTab } from "./ExperimentTab";
import { Failures } from "./Failures";
import { HistoryTab } from "./HistoryTab";
import { ProgressPanel } from "./ProgressPanel";
import { pollOf, useCampaign, useEvents, useGrid, type Poll } from "./queries";
import { RunsTable } from "./RunsTable";
import { Said } from "./Said";
import { Searched } from "./searched/Searched";
import type { CampaignSearch } from "./search";
import { Trouble } from "./Trouble";

const route = getRouteApi("/inside/teams/$team/campaigns/$campaign");

const NONE: readonly Combination[] = [];

function RunsTab({ campaign, poll }: { campaign: Campaign; poll: Poll }): ReactElement {
  const navigate = route.useNavigate();
  const grid = useGrid(campaign, poll);
  const change = useCallback(
    (next: CampaignSearch): void => {
      void navigate({
        search: (before) => ({ ...before, ...next }),
        replace: true,
        resetScroll: false,
      });
    },
    [navigate],
  );
  return (
    <Stack gap="md">
      <Failures
        campaign={campaign}
        poll={poll}
        onShow={(state) => change({ state: [state], levels: undefined })}
      />
      {campaign.combination_count > 1 && !campaign.has_search && (
        <Paper p="md">
          <Loaded query={grid} height={160}>
            {(combinations) => (
              <StateGrid
                title={`Runs of ${campaign.name}`}
                combinations={combinations}
                onPick={({ levels }) =>
                  change({
                    levels: Object.fromEntries(
                      Object.entries(levels).map(([factor, level]) => [factor, levelText(level)]),
                    ),
                  })
                }
              />
            )}
          </Loaded>
        </Paper>
      )}
      <RunsTable
        campaign={campaign}
        combinations={grid.data ?? NONE}
        poll={poll}
        search={route.useSearch()}
        onChange={change}
      />
    </Stack>
  );
}

/** A campaign: how far it is, what failed and why, its runs, and what it asks. */
export function CampaignPage(): ReactElement {
  const { team, campaign: id } = route.useParams();
  const { tab = "runs" } = route.useSearch();
  const live = useEvents(id);
  const query = useCampaign(id, live);
  const campaign = query.data;
  useLastLook(campaign !== undefined && isMoving(campaign));
  if (campaign === undefined)
    return (
      <Page title="Campaign">
        <Loaded query={query} height={320}>
          {() => null}
        </Loaded>
      </Page>
    );
  const poll = pollOf(campaign, live);
  return (
    <Page
      title={campaign.name}
      beside={<CampaignBadge campaign={campaign} />}
      actions={<CampaignActions campaign={campaign} />}
    >
      {campaign.description !== "" && (
        <Text c="dimmed" size="sm" maw={860}>
          {campaign.description}
        </Text>
      )}
      <Said campaign={campaign} />
      {campaign.state === "refused" && (
        <ProblemAlert
          error={{ status: 422, title: "This campaign was refused", problems: campaign.problems }}
        />
      )}
      {campaign.has_question && <Answer campaign={campaign} poll={poll} />}
      {campaign.has_search && <Searched campaign={campaign} poll={poll} />}
      <ProgressPanel campaign={campaign} poll={poll} />
      {campaign.state === "expanding" && (
        <Alert variant="light" py="xs">
          Its runs are being written; those that are there begin already.
        </Alert>
      )}
      {campaign.state === "deleting" && (
        <Alert variant="light" color="red" py="xs">
          Its runs are being deleted; it is gone with the last of them.
        </Alert>
      )}
      {isMoving(campaign) && <Trouble campaign={campaign.id} poll={poll} />}
      <CampaignTabs team={team} campaign={campaign.id} value={tab} />
      {tab === "runs" && <RunsTab campaign={campaign} poll={poll} />}
      {tab === "experiment" && <ExperimentTab campaign={campaign} />}
      {tab === "history" && <HistoryTab campaign={campaign.id} poll={poll} />}
    </Page>
  );
}
