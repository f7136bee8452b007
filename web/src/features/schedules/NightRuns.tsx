import { Anchor, Group } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { api } from "#/api/client";
import type { Board } from "./board";

interface RunsProps {
  team: string;
  board: Board;
  trend: number;
  metric: string;
}

/** From a metric of a night to its runs, and to the moment at which a typical pair of them parts. */
export function NightRuns({ team, board, trend, metric }: RunsProps): ReactElement | null {
  const [a, b] = [board.night?.baseline ?? null, board.campaign];
  const pairs = api.useQuery(
    "get",
    "/api/v1/trends/{trend}/pairs",
    { params: { path: { trend }, query: { night: b } } },
    { enabled: a !== null && b !== null },
  ).data;
  if (a === null || b === null) return null;
  const typical = pairs?.[0];
  return (
    <Group mt="xs" gap="lg">
      <Anchor
        size="sm"
        renderRoot={(props) => (
          <Link to="/teams/$team/compare" params={{ team }} search={{ a, b, metric }} {...props} />
        )}
      >
        tonight beside the baseline, run by run
      </Anchor>
      {typical && (
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link
              to="/teams/$team/compare/runs"
              params={{ team }}
              search={{ a: typical.a, b: typical.b }}
              {...props}
            />
          )}
        >
          where two runs of the median change part
        </Anchor>
      )}
    </Group>
  );
}
