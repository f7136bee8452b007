import { Anchor, Code, Group, Paper, Progress, Stack, Text, Title } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import type { Schema } from "#/api/client";
import { Time } from "#/shared/time/Time";
import { DataTable, type Column } from "#/shared/ui/DataTable";
import { Fact } from "#/shared/ui/Fact";
import { count } from "#/shared/units/format";
import { NotCompared } from "./NotCompared";
import { useReproductions, type Reproduction } from "./queries";
import { VerdictBadge } from "./VerdictBadge";

type Differing = Schema<"DifferingRun">;

function columns(team: string): Column<Differing>[] {
  const run = (id: number): ReactElement => (
    <Anchor
      renderRoot={(props) => (
        <Link to="/teams/$team/runs/$run" params={{ team, run: String(id) }} {...props} />
      )}
    >
      {id}
    </Anchor>
  );
  return [
    { name: "Run", w: 90, cell: (of) => run(of.run) },
    {
      name: "Again",
      title: "The run that was carried out again",
      w: 90,
      cell: (of) => run(of.again),
    },
    { name: "Files that differ", cell: ({ files }) => <Code>{files.join(", ")}</Code> },
  ];
}

function Campaigns({ team, of }: { team: string; of: Reproduction }): ReactElement {
  return (
    <>
      {of.campaigns.map((campaign, index) => (
        <Anchor
          key={campaign}
          size="sm"
          renderRoot={(props) => (
            <Link to="/teams/$team/campaigns/$campaign" params={{ team, campaign }} {...props} />
          )}
        >
          {of.campaigns.length === 1 ? "Its campaign" : `Campaign ${index + 1}`}
        </Anchor>
      ))}
    </>
  );
}

function Before({ of }: { of: readonly Reproduction[] }): ReactElement | null {
  if (of.length === 0) return null;
  return (
    <Stack gap={4}>
      <Text size="xs" c="dimmed">
        Before
      </Text>
      {of.map((each) => (
        <Group key={each.id} gap="xs">
          <VerdictBadge of={each} />
          <Text size="sm">
            {count(each.same)} of {count(each.runs)} runs the same
          </Text>
          <Text size="sm" c="dimmed">
            <Time at={each.ended_at} />
          </Text>
        </Group>
      ))}
    </Stack>
  );
}

/** When the platform carried the card's runs out again, how far it is, and the verdicts. */
export function Reproduced({ team, card }: { team: string; card: string }): ReactElement | null {
  const [last, ...before] = useReproductions(card).data?.items ?? [];
  if (last === undefined) return null;
  return (
    <Paper p="md" component="section" aria-label="Carried out again">
      <Stack gap="sm">
        <Group gap="sm">
          <Title order={2}>Carried out again</Title>
          <VerdictBadge of={last} />
        </Group>
        {last.verdict === null && (
          <Progress
            value={(100 * last.ended) / last.runs}
            aria-label={`${last.ended} of ${last.runs} runs`}
          />
        )}
        <Group style={{ gap: "8px 32px" }}>
          <Fact name="Runs carried out">
            {count(last.ended)} of {count(last.runs)}
          </Fact>
          <Fact name="With the same bytes">{count(last.same)}</Fact>
          <Fact name={last.ended_at === null ? "Begun" : "Ended"}>
            <Time at={last.ended_at ?? last.created_at} />
          </Fact>
          <Fact name="By">{last.created_by ?? "–"}</Fact>
        </Group>
        {last.differing.length > 0 && (
          <DataTable
            columns={columns(team)}
            rows={last.differing}
            keyOf={({ again }) => again}
            verticalSpacing={3}
          />
        )}
        <NotCompared title="Not compared" of={[...last.failed, ...last.left_out]} />
        <Group gap="md">
          <Campaigns team={team} of={last} />
        </Group>
        <Before of={before} />
      </Stack>
    </Paper>
  );
}
