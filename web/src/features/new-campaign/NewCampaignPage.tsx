import { Button, Paper, Skeleton, Text } from "@mantine/core";
import { IconFlask2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, type ReactElement } from "react";
import { notifyProblem } from "#/shared/errors/notify";
import { useMay } from "#/shared/session/session";
import { Empty } from "#/shared/ui/Empty";
import { Loaded } from "#/shared/ui/Loaded";
import { Page } from "#/shared/ui/Page";
import { fromCampaign, fromSchedule, fromShippedPath } from "./begin";
import { useDraft, type Draft } from "./draft";
import type { NewCampaignSearch } from "./search";
import { StartPage } from "./start/StartPage";

const route = getRouteApi("/inside/teams/$team/campaigns/new");
const Workbench = lazy(() =>
  import("./Workbench").then(({ Workbench: component }) => ({ default: component })),
);

function beginning({ shipped, campaign, schedule }: NewCampaignSearch) {
  if (shipped !== undefined) return () => fromShippedPath(shipped);
  if (campaign !== undefined) return () => fromCampaign(campaign);
  if (schedule !== undefined) return () => fromSchedule(schedule);
  return null;
}

/** Fetches what the address names, hands it over, and takes the name out of the address: a reload
 * then shows what was typed since. */
function Fetching({ onBegin }: { onBegin: (draft: Draft) => void }): ReactElement {
  const search = route.useSearch();
  const begin = beginning(search);
  const query = useQuery({
    queryKey: ["begin", search],
    queryFn: () => begin?.() ?? null,
    staleTime: Infinity,
    gcTime: 0,
  });
  const draft = query.data;
  useEffect(() => {
    if (draft) onBegin(draft);
  }, [draft, onBegin]);
  return (
    <Page title="New campaign">
      <Loaded query={query} height={320}>
        {() => null}
      </Loaded>
    </Page>
  );
}

function Bench(): ReactElement {
  const { team } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { draft, change, begin, discard } = useDraft(team);
  if (beginning(search) !== null)
    return (
      <Fetching
        onBegin={(next) => {
          begin(next);
          void navigate({ search: {}, replace: true });
        }}
      />
    );
  if (draft === null)
    return (
      <StartPage
        team={team}
        onBegin={begin}
        onCampaign={(campaign) => {
          fromCampaign(campaign).then(begin).catch(notifyProblem);
        }}
      />
    );
  return (
    <Suspense
      fallback={
        <Page title="New campaign">
          <Skeleton height={320} role="status" aria-busy aria-label="Loading" />
        </Page>
      }
    >
      <Workbench key={draft.id} team={team} draft={draft} onChange={change} onDone={discard} />
    </Suspense>
  );
}

/** Writes a campaign, as a form or as YAML, and submits or schedules it. */
export function NewCampaignPage(): ReactElement {
  const { team } = route.useParams();
  const may = useMay("submit");
  if (!may)
    return (
      <Page title="New campaign">
        <Paper>
          <Empty
            icon={<IconFlask2 size={36} stroke={1.4} />}
            title="Submitting needs the role submit"
          >
            <Text size="sm">
              You may read this team&apos;s work. Ask one of its administrators.
            </Text>
            <Button mt="sm" variant="default" component="a" href={`/teams/${team}/campaigns`}>
              To the campaigns
            </Button>
          </Empty>
        </Paper>
      </Page>
    );
  return <Bench key={team} />;
}
