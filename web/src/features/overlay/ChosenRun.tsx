import { Anchor, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { levelText } from "#/shared/levels/text";
import type { Metric } from "#/shared/metrics/metrics";
import { share } from "#/shared/metrics/difference";
import { MetricName } from "#/shared/metrics/MetricName";
import { useTeam } from "#/shared/session/session";
import { quantity } from "#/shared/units/format";
import { useSameSeed, type Run } from "./queries";

interface ChosenRunProps {
  run: Run;
  metric: Metric;
  /** Over the runs shown. */
  mean: number | null;
  /** Nearest to the mean. */
  typical: number | undefined;
}

function Beside(props: { a: number; b: number; children: string }): ReactElement {
  const team = useTeam();
  return (
    <Anchor
      size="sm"
      renderRoot={(own) => (
        <Link
          to="/teams/$team/compare/runs"
          params={{ team }}
          search={{ a: props.a, b: props.b }}
          {...own}
        />
      )}
    >
      {props.children}
    </Anchor>
  );
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
        {others.length > 0 && (
          <Text size="sm" component="div">
            Beside the run of the same seed, and where they part, at{" "}
            <Group gap="xs" component="span" display="inline-flex">
              {others.map(({ id, levels }) => (
                <Beside key={id} a={run.id} b={id}>
                  {Object.values(levels).map(levelText).join(" · ")}
                </Beside>
              ))}
            </Group>
          </Text>
        )}
      </Stack>
    </Paper>
  );
}
