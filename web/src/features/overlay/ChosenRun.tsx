import { Anchor, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import type { Metric } from "#/shared/metrics/metrics";
import { share } from "#/shared/metrics/difference";
import { MetricName } from "#/shared/metrics/MetricName";
import { Beside } from "#/shared/runs/Beside";
import { useTeam } from "#/shared/session/session";
import { quantity } from "#/shared/units/format";
import { useSameSeed, type Run } from "./queries";
import { SameSeed } from "./SameSeed";

interface ChosenRunProps {
  run: Run;
  metric: Metric;
  /** Over the runs shown. */
  mean: number | null;
  /** Nearest to the mean. */
  typical: number | undefined;
}

/** A run that stands out: how far, and what to lay beside it to see why. */
export function ChosenRun({ run, metric, mean, typical }: ChosenRunProps): ReactElement {
  const team = useTeam();
  const value = run.metrics[metric.name] ?? null;
  const away = value !== null && mean ? share((value - mean) / mean) : "";
  const { data } = useSameSeed(run);
  const others = data?.items.filter(({ id }) => id !== run.id) ?? [];
  return (
    <Paper p="md">
      <Group gap="sm" mb={4}>
        <Title order={2}>
          <Anchor
            inherit
            renderRoot={(own) => (
              <Link to="/teams/$team/runs/$run" params={{ team, run: String(run.id) }} {...own} />
            )}
          >
            Run {run.id}
          </Anchor>
        </Title>
        <Text size="sm" c="dimmed">
          replicate {run.replicate + 1}, <MetricName metric={metric} />{" "}
          {quantity(value, metric.unit)}
          {away !== "" && `, ${away} from the mean`}
        </Text>
      </Group>
      <Stack gap={4}>
        {typical !== undefined && typical !== run.id && (
          <Text size="sm">
            <Beside a={typical} b={run.id}>
              {`Beside run ${typical}, the one nearest the mean`}
            </Beside>{" "}
            – another seed: what differs may be chance.
          </Text>
        )}
        {others.length > 0 && <SameSeed key={run.id} run={run} others={others} />}
      </Stack>
    </Paper>
  );
}
