import { Button, Paper } from "@mantine/core";
import { IconFlask2, IconPlus } from "@tabler/icons-react";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { api } from "#/api/client";
import { isMoving } from "#/shared/campaign/moving";
import { useShortcut } from "#/shared/keys/shortcuts";
import type { Kind } from "#/shared/live/stream";
import { useLive } from "#/shared/live/useLive";
import { MoreButton } from "#/shared/paging/MoreButton";
import { PAGES } from "#/shared/paging/pages";
import { useMay } from "#/shared/session/session";
import { Empty } from "#/shared/ui/Empty";
import { Loaded } from "#/shared/ui/Loaded";
import { Page } from "#/shared/ui/Page";
import { CampaignsFilter } from "./CampaignsFilter";
import { CampaignsTable } from "./CampaignsTable";
import { FirstCampaign } from "./FirstCampaign";

const route = getRouteApi("/inside/teams/$team/campaigns");
const PAGE = 50;
const POLL_MS = 4_000;
const WATCHED: readonly Kind[] = ["campaign.state", "run.ended"];

/** A team's campaigns, newest first. */
export function CampaignsPage(): ReactElement {
  const { team } = route.useParams();
  const search = route.useSearch();
  const { state, name, tag, archived } = search;
  const navigate = route.useNavigate();

  const live = useLive({
    path: `/api/v1/teams/${team}/events`,
    kinds: WATCHED,
    enabled: true,
    about: "/api/v1/teams/{team}/campaigns",
  });
  const campaigns = api.useInfiniteQuery(
    "get",
    "/api/v1/teams/{team}/campaigns",
    { params: { path: { team }, query: { state, name_part: name, tag, archived, limit: PAGE } } },
    {
      ...PAGES,
      refetchInterval: ({ state: { data } }) =>
        !live && data?.pages.some(({ items }) => items.some(isMoving)) === true && POLL_MS,
    },
  );
  const may = useMay("submit");
  useShortcut("n", "New campaign", () => {
    if (may) void navigate({ to: "/teams/$team/campaigns/new", params: { team } });
  });
  const filtered = [name, state, tag, archived].some((each) => each !== undefined);

  return (
    <Page
      title="Campaigns"
      actions={
        may && (
          <Button
            leftSection={<IconPlus size={15} />}
            renderRoot={(props) => (
              <Link to="/teams/$team/campaigns/new" params={{ team }} {...props} />
            )}
          >
            New campaign
          </Button>
        )
      }
    >
      <CampaignsFilter
        team={team}
        search={search}
        onChange={(next) =>
          void navigate({ search: (before) => ({ ...before, ...next }), replace: true })
        }
      />
      <Loaded query={campaigns} height={280}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items);
          if (items.length === 0)
            return (
              <Paper>
                {filtered ? (
                  <Empty icon={<IconFlask2 size={36} stroke={1.4} />} title="No campaign fits">
                    Take a state or a tag away, or search for another name.
                  </Empty>
                ) : (
                  <FirstCampaign team={team} may={may} />
                )}
              </Paper>
            );
          return (
            <>
              <CampaignsTable team={team} campaigns={items} />
              <MoreButton of={campaigns} />
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
