import { Alert, Group, Loader, SimpleGrid, Stack, Text } from "@mantine/core";
import type { ReactElement } from "react";
import { ProblemAlert } from "#/shared/errors/ProblemAlert";
import { Fact } from "#/shared/ui/Fact";
import { count, duration, quantity, runCount } from "#/shared/units/format";
import type { useCheck } from "./check";

/** How many runs, how long, how much: live, or what keeps that from being told. */
export function CostSummary({
  validation,
  estimate,
  settled,
}: ReturnType<typeof useCheck>): ReactElement {
  if (validation.error)
    return <ProblemAlert error={validation.error} onRetry={() => void validation.refetch()} />;
  const cost = estimate.data;
  const valid = validation.data?.valid === true;
  return (
    <Stack gap="xs" aria-live="polite">
      <SimpleGrid cols={{ base: 2, xs: 4, md: 2, lg: 4 }} spacing="xs">
        <Fact name={validation.data?.at_most === true ? "Runs at most" : "Runs"}>
          {valid ? count(validation.data?.runs ?? 0) : "–"}
        </Fact>
        <Fact name="Film">{valid ? duration(cost?.film_s) : "–"}</Fact>
        <Fact name="Takes about">{valid ? duration(cost?.wall_s) : "–"}</Fact>
        <Fact name="Stores">{valid ? quantity(cost?.stored_bytes, "bytes") : "–"}</Fact>
      </SimpleGrid>
      <Group gap={6} mih={18}>
        {!settled && <Loader size={12} />}
        <Text size="xs" c="dimmed">
          {!valid || cost === undefined
            ? "Told once the campaign has no errors."
            : `With ${runCount(cost.jobs)} at a time, ${
                cost.measured_runs > 0
                  ? `after ${count(cost.measured_runs)} measured runs`
                  : "after the project's benchmarks"
              }${cost.exact ? "" : ", from a sample of combinations"}. Runs that have a result already take no time.`}
        </Text>
      </Group>
      {valid && cost?.allowed === false && (
        <Alert variant="light" color="yellow" title="The team's quotas do not allow it">
          {cost.refusals.join(" ")}
        </Alert>
      )}
      {estimate.error && <ProblemAlert error={estimate.error} />}
    </Stack>
  );
}
