import { Group, Paper, Stack, Text } from "@mantine/core";
import type { ReactElement } from "react";
import type { Campaign } from "#/shared/campaign/moving";
import { MetricName } from "#/shared/metrics/MetricName";
import { Fact } from "#/shared/ui/Fact";
import { Loaded } from "#/shared/ui/Loaded";
import { count } from "#/shared/units/format";
import { Headline } from "../Headline";
import { useSearch, type Poll } from "../queries";
import { Narrowing } from "./Narrowing";
import { ruleOf, tableOf, type Told } from "./words";

function Shown({ told }: { told: Told }): ReactElement {
  const more = told.subject_count - told.subjects.length;
  return (
    <Stack gap="sm">
      <Headline
        word={told.is_told ? "searched" : "search"}
        colour={told.is_told ? "--weir-succeeded" : "--weir-running"}
        sentence={told.sentence}
        table={() => tableOf(told)}
        asked={{
          path: `/api/v1/campaigns/${told.campaign_id}/search`,
          call: "show_search",
          of: [told.campaign_id],
          query: {},
        }}
      />
      <Narrowing told={told} />
      {more > 0 && (
        <Text size="xs" c="dimmed">
          {count(more)} more are not drawn; the API lists them.
        </Text>
      )}
      <Group style={{ gap: "8px 32px" }}>
        <Fact name="Passes where">
          <MetricName metric={told.metric} /> {ruleOf(told)}
        </Fact>
        <Fact name="Told">
          {count(told.ended)} of {count(told.subject_count)}
        </Fact>
        <Fact name="Levels tried">
          {count(told.levels_tried)} of {count(told.levels * told.subject_count)}
        </Fact>
        <Fact name="Exceptions">{count(told.exceptions)}</Fact>
        <Fact name="Runs">
          {count(told.runs)}
          {!told.is_told && `, ${count(told.most_runs)} at most`}
        </Fact>
      </Group>
    </Stack>
  );
}

/** A campaign's search as it narrows, and what it found. */
export function Searched({ campaign, poll }: { campaign: Campaign; poll: Poll }): ReactElement {
  const search = useSearch(campaign, poll);
  return (
    <Paper p="md" component="section" aria-label="The search">
      <Loaded query={search} height={150}>
        {(told) => <Shown told={told} />}
      </Loaded>
    </Paper>
  );
}
