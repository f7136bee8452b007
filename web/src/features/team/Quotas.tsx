import { Paper, Progress, SimpleGrid, Text } from "@mantine/core";
import type { ReactElement } from "react";
import { api } from "#/api/client";
import { Loaded } from "#/shared/ui/Loaded";
import { count, quantity } from "#/shared/units/format";

interface QuotaProps {
  name: string;
  used: number | null;
  limit: number | null;
  say: (value: number) => string;
}

function Quota({ name, used, limit, say }: QuotaProps): ReactElement {
  const share = limit === null || used === null ? 0 : limit === 0 ? 100 : (100 * used) / limit;
  return (
    <div>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text fw={600}>
        {used === null ? "" : say(used)}
        <Text span size="sm" c="dimmed" fw={400}>
          {used === null ? "" : limit === null ? ", " : " of "}
          {limit === null ? "no limit" : say(limit)}
        </Text>
      </Text>
      {used !== null && limit !== null && (
        <Progress
          mt={6}
          size="sm"
          value={Math.min(100, share)}
          color={share > 90 ? "red" : undefined}
          aria-label={`${name}: ${Math.round(share)} % used`}
        />
      )}
    </div>
  );
}

const hours = (value: number): string => quantity(value, "h");
const bytes = (value: number): string => quantity(value, "bytes");

/** What the team may use, and what it does. */
export function Quotas({ team }: { team: string }): ReactElement {
  const quota = api.useQuery(
    "get",
    "/api/v1/teams/{team}/quota",
    { params: { path: { team } } },
    { refetchInterval: 5_000 },
  );
  return (
    <Paper p="md" component="section" aria-label="Quotas">
      <Loaded query={quota} height={48}>
        {(found) => (
          <SimpleGrid cols={{ base: 1, xs: 3 }}>
            <Quota
              name="Runs at a time"
              used={found.running}
              limit={found.max_running}
              say={count}
            />
            <Quota
              name="Stored"
              used={found.stored_bytes}
              limit={found.max_stored_bytes}
              say={bytes}
            />
            <Quota
              name="Runs in one campaign"
              used={null}
              limit={found.max_runs_per_campaign}
              say={count}
            />
            <Quota
              name="Film in campaigns that are not over"
              used={found.open_film_h}
              limit={found.max_film_h}
              say={hours}
            />
            <div>
              <Text size="xs" c="dimmed">
                Share
              </Text>
              <Text fw={600}>{count(found.share)}</Text>
            </div>
          </SimpleGrid>
        )}
      </Loaded>
    </Paper>
  );
}
