import { Paper, Text, Title } from "@mantine/core";
import { IconServer2 } from "@tabler/icons-react";
import type { ReactElement } from "react";
import { api, type Schema } from "#/api/client";
import { Time } from "#/shared/time/Time";
import { DataTable, type Column } from "#/shared/ui/DataTable";
import { Empty } from "#/shared/ui/Empty";
import { Loaded } from "#/shared/ui/Loaded";

const COLUMNS: readonly Column<Schema<"WorkerOut">>[] = [
  {
    name: "Host",
    cell: ({ id, host, problem }) => (
      <div style={{ overflowWrap: "anywhere" }}>
        {host}
        <Text size="xs" c="dimmed">
          {id}
        </Text>
        {problem !== "" && (
          <Text size="sm" c="dimmed">
            {problem}
          </Text>
        )}
      </div>
    ),
  },
  { name: "Clock", w: 130, from: "sm", cell: ({ clocks }) => clocks.join(", ") },
  { name: "State", w: 90, cell: ({ state }) => state },
  {
    name: "Runs",
    title: "Runs that it holds, of as many as it takes at a time",
    w: 80,
    cell: ({ running, jobs }) => `${running} of ${jobs}`,
  },
  { name: "Last seen", w: 110, from: "xs", cell: ({ seen_at: at }) => <Time at={at} /> },
];

/** What carries runs out. */
export function WorkersTab(): ReactElement {
  const workers = api.useQuery("get", "/api/v1/workers", undefined, { refetchInterval: 5_000 });
  return (
    <section aria-label="Workers">
      <Title order={2} mb="xs">
        Workers
      </Title>
      <Loaded query={workers} height={140}>
        {(found) => (
          <Paper style={{ overflow: "hidden" }}>
            {found.length === 0 ? (
              <Empty icon={<IconServer2 size={36} stroke={1.4} />} title="No workers are up">
                Runs wait until one is: start it with <code>weir worker</code>.
              </Empty>
            ) : (
              <DataTable columns={COLUMNS} rows={found} keyOf={({ id }) => id} />
            )}
          </Paper>
        )}
      </Loaded>
    </section>
  );
}
