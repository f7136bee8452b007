import { Button, Chip, Group, Paper, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconFlask2, IconPlus, IconSearch } from "@tabler/icons-react";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useRef, useState, type ReactElement } from "react";
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
import { CampaignsTable } from "./CampaignsTable";
import { FirstCampaign } from "./FirstCampaign";
import { CAMPAIGN_STATES } from "./search";

const route = getRouteApi("/inside/teams/$team/campaigns");
const PAGE = 50;
const POLL_MS = 4_000;
const WATCHED: readonly Kind[] = ["campaign.state", "run.ended"];

/** A team's campaigns, newest first. */
export function CampaignsPage(): ReactElement {
  const { team } = route.useParams();
  const { state, name } = route.useSearch();
  const navigate = route.useNavigate();
  const [typed, setTyped] = useState(name ?? "");
  const field = useRef<HTMLInputElement>(null);
  useShortcut("/", "Search by name", () => field.current?.focus());

  const live = useLive({
    path: `/api/v1/teams/${team}/events`,
    kinds: WATCHED,
    enabled: true,
    about: "/api/v1/teams/{team}/campaigns",
  });
  const campaigns = api.useInfiniteQuery(
    "get",
    "/api/v1/teams/{team}/campaigns",
    { params: { path: { team }, query: { state, name_part: name, limit: PAGE } } },
    {
      ...PAGES,
      refetchInterval: ({ state: { data } }) =>
        !live && data?.pages.some(({ items }) => items.some(isMoving)) === true && POLL_MS,
    },
  );
  const search = useDebouncedCallback((text: string) => {
    void navigate({
      search: (before) => ({ ...before, name: text === "" ? undefined : text }),
      replace: true,
    });
  }, 250);
  const may = useMay("submit");
  useShortcut("n", "New campaign", () => {
    if (may) void navigate({ to: "/teams/$team/campaigns/new", params: { team } });
  });
  const filtered = name !== undefined || (state !== undefined && state.length > 0);

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
      <Group gap="sm">
        <TextInput
          ref={field}
          size="xs"
          w={220}
          aria-label="Search by name"
          placeholder="Name"
          leftSection={<IconSearch size={14} />}
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value);
            search(event.currentTarget.value);
          }}
        />
        <Chip.Group
          multiple
          value={state ?? []}
          onChange={(chosen) =>
            void navigate({
              search: (before) => ({
                ...before,
                state: chosen.length === 0 ? undefined : (chosen as typeof state),
              }),
            })
          }
        >
          <Group gap={6}>
            {CAMPAIGN_STATES.map((each) => (
              <Chip key={each} value={each} size="xs" variant="outline">
                {each}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
      </Group>
      <Loaded query={campaigns} height={280}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items);
          if (items.length === 0)
            return (
              <Paper>
                {filtered ? (
                  <Empty icon={<IconFlask2 size={36} stroke={1.4} />} title="No campaign fits">
                    Take a state away, or search for another name.
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
