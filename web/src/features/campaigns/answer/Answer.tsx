import { Group, Paper, Progress, Stack, Text } from "@mantine/core";
import type { ReactElement } from "react";
import type { Schema } from "#/api/client";
import type { Campaign } from "#/shared/campaign/moving";
import { isMoving } from "#/shared/campaign/moving";
import { signed } from "#/shared/metrics/difference";
import { MetricName } from "#/shared/metrics/MetricName";
import { Beside } from "#/shared/runs/Beside";
import { Fact } from "#/shared/ui/Fact";
import { Loaded } from "#/shared/ui/Loaded";
import { count, duration } from "#/shared/units/format";
import { Headline } from "../Headline";
import { useAnswer, type Poll } from "../queries";
import { IntervalBar } from "./IntervalBar";
import { howMany, LOOKS, tableOf } from "./words";

type Told = Schema<"AnswerOut">;

function Pair(props: { name: string; pair: Told["typical"]; unit: string }): ReactElement | null {
  const { name, pair, unit } = props;
  if (pair === null) return null;
  return (
    <Beside a={pair.beat_run} b={pair.does_run}>
      {name}: {signed(pair.difference, unit)}
    </Beside>
  );
}

function Shown({ told, moving }: { told: Told; moving: boolean }): ReactElement {
  const { unit } = told.metric;
  const { word, colour } = LOOKS[told.verdict];
  return (
    <Stack gap="sm">
      <Headline
        word={moving && !told.is_told ? "asking" : word}
        colour={colour}
        sentence={told.sentence}
        table={() => tableOf(told)}
        asked={{
          path: `/api/v1/campaigns/${told.campaign_id}/answer`,
          call: "show_answer",
          of: [told.campaign_id],
          query: {},
        }}
      />
      <IntervalBar told={told} />
      <Group style={{ gap: "8px 32px" }}>
        <Fact name="Metric">
          <MetricName metric={told.metric} />
        </Fact>
        <Fact name="Distinct seeds">
          {count(told.distinct)} of {count(told.most)} at most
        </Fact>
        <Fact name="Cost">
          {count(told.cost.runs)} runs, {duration(told.cost.film_s)} of film in{" "}
          {duration(told.cost.wall_s)}
        </Fact>
        <Fact name="Runs of one seed">
          <Group gap="md">
            <Pair name="typical" pair={told.typical} unit={unit} />
            <Pair name={`worst for ${told.does_level}`} pair={told.worst} unit={unit} />
          </Group>
        </Fact>
      </Group>
      {!told.is_told && (
        <div>
          <Progress
            value={(100 * told.distinct) / told.most}
            size="sm"
            aria-label="Of the seeds it may take"
          />
          <Text size="xs" c="dimmed" mt={4}>
            {howMany(told, moving)}
          </Text>
        </div>
      )}
      {told.without > 0 && (
        <Text size="xs" c="var(--weir-failed)">
          {count(told.without)} seeds have no pair: a run failed, or has no such value.
        </Text>
      )}
    </Stack>
  );
}

/** The answer to a campaign's question, as far as its runs tell. */
export function Answer({ campaign, poll }: { campaign: Campaign; poll: Poll }): ReactElement {
  const answer = useAnswer(campaign, poll);
  return (
    <Paper p="md" component="section" aria-label="The answer">
      <Loaded query={answer} height={150}>
        {(told) => <Shown told={told} moving={isMoving(campaign)} />}
      </Loaded>
    </Paper>
  );
}
