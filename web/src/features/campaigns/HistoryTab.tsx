import { Anchor, Chip, Group, Paper } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState, type ReactElement } from "react";
import { api } from "#/api/client";
import { MoreButton } from "#/shared/paging/MoreButton";
import { PAGES } from "#/shared/paging/pages";
import { useTeam } from "#/shared/session/session";
import { StateBadge } from "#/shared/states/StateBadge";
import { whenColumn } from "#/shared/time/whenColumn";
import { DataTable, type Column } from "#/shared/ui/DataTable";
import { Empty } from "#/shared/ui/Empty";
import { Loaded } from "#/shared/ui/Loaded";
import { told, type Event } from "./events";
import type { Poll } from "./queries";

const PAGE = 50;
const WITHOUT_RUNS: Event["kind"][] = [
  "campaign.judged",
  "campaign.state",
  "campaign.trouble",
  "schedule.tick",
];

function columnsOf(team: string): Column<Event>[] {
  return [
    whenColumn(260),
    {
      name: "What",
      w: 150,
      cell: (event) => {
        const { what, run } = told(event);
        if (run === null) return what;
        return (
          <Anchor
            size="sm"
            renderRoot={(props) => (
              <Link to="/teams/$team/runs/$run" params={{ team, run: String(run) }} {...props} />
            )}
          >
            {what}
          </Anchor>
        );
      },
    },
    {
      name: "State",
      w: 120,
      cell: (event) => {
        const { state } = told(event);
        return state !== null && <StateBadge state={state} />;
      },
    },
    {
      name: "Why",
      cell: (event) => <div style={{ overflowWrap: "anywhere" }}>{told(event).why}</div>,
    },
  ];
}

/** What happened in a campaign, newest first. */
export function HistoryTab({ campaign, poll }: { campaign: string; poll: Poll }): ReactElement {
  const team = useTeam();
  const [withRuns, setWithRuns] = useState(false);
  const kind = withRuns ? undefined : WITHOUT_RUNS;
  const history = api.useInfiniteQuery(
    "get",
    "/api/v1/campaigns/{campaign}/history",
    { params: { path: { campaign }, query: { kind, limit: PAGE } } },
    { ...PAGES, refetchInterval: poll, placeholderData: keepPreviousData },
  );
  return (
    <Loaded query={history} height={240}>
      {({ pages }) => {
        const items = pages.flatMap((page) => page.items);
        return (
          <Paper style={{ overflow: "hidden" }}>
            <Group p="sm">
              <Chip
                size="xs"
                variant="outline"
                checked={withRuns}
                onChange={() => setWithRuns(!withRuns)}
              >
                each run, too
              </Chip>
            </Group>
            {items.length === 0 ? (
              <Empty icon={<IconHistory size={36} stroke={1.4} />} title="Nothing is kept">
                What happens in a campaign is kept for some weeks.
              </Empty>
            ) : (
              <DataTable columns={columnsOf(team)} rows={items} keyOf={({ id }) => id} />
            )}
            <MoreButton of={history} />
          </Paper>
        );
      }}
    </Loaded>
  );
}
