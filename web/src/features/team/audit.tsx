import { Paper } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { api, type Schema } from "#/api/client";
import { PAGES } from "#/shared/paging/pages";
import { useMay } from "#/shared/session/session";
import { Empty } from "#/shared/ui/Empty";
import { Loaded } from "#/shared/ui/Loaded";
import { AuditTable } from "./AuditTable";

const PAGE = 50;
const OF_TEAM = ["campaign", "card", "schedule", "webhook", "token", "member", "team", "file"];
const OF_INSTALLATION = ["user", "team", "member", "token", "session"];

interface AuditProps {
  noun: string | undefined;
  onNoun: (noun: string | undefined) => void;
}

/** What was done in a team. */
export function TeamAudit({ team, ...rest }: AuditProps & { team: string }): ReactElement {
  const isAdmin = useMay("admin");
  const entries = api.useInfiniteQuery(
    "get",
    "/api/v1/teams/{team}/audit",
    { params: { path: { team }, query: { action: rest.noun, limit: PAGE } } },
    { ...PAGES, enabled: isAdmin },
  );
  if (!isAdmin)
    return (
      <Paper>
        <Empty icon={<IconHistory size={36} stroke={1.4} />} title="For the team's administrators">
          They see who did what.
        </Empty>
      </Paper>
    );
  return <Shown entries={entries} nouns={OF_TEAM} {...rest} />;
}

/** What was done to users, teams and tokens of the installation. */
export function InstallationAudit(props: AuditProps): ReactElement {
  const entries = api.useInfiniteQuery(
    "get",
    "/api/v1/audit",
    { params: { query: { action: props.noun, limit: PAGE } } },
    PAGES,
  );
  return <Shown entries={entries} nouns={OF_INSTALLATION} {...props} />;
}

type EntriesQuery = Pick<
  UseInfiniteQueryResult<InfiniteData<Schema<"Page_AuditEntryOut_">>, unknown>,
  "data" | "error" | "refetch" | "hasNextPage" | "fetchNextPage" | "isFetchingNextPage"
>;

function Shown({
  entries,
  ...rest
}: AuditProps & { entries: EntriesQuery; nouns: readonly string[] }): ReactElement {
  return (
    <Loaded query={entries} height={220}>
      {({ pages }) => (
        <AuditTable
          {...rest}
          entries={pages.flatMap(({ items }) => items)}
          onMore={entries.hasNextPage ? () => void entries.fetchNextPage() : null}
          pending={entries.isFetchingNextPage}
        />
      )}
    </Loaded>
  );
}
