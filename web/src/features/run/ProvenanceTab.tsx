import { Code, Paper, SimpleGrid, Stack, Table, Text, Timeline, Title } from "@mantine/core";
import type { ReactElement } from "react";
import { CodeBlock } from "#/shared/ui/CodeBlock";
import { levelText } from "#/shared/levels/text";
import { full } from "#/shared/time/format";
import { duration, quantity } from "#/shared/units/format";
import { readExperiment } from "./experiment";
import type { Run } from "./queries";

function Pairs({ pairs }: { pairs: readonly (readonly [string, string])[] }): ReactElement {
  return (
    <Table verticalSpacing={3} withRowBorders={false}>
      <Table.Tbody>
        {pairs.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Td c="dimmed" w={130} pl={0}>
              {name}
            </Table.Td>
            <Table.Td style={{ overflowWrap: "anywhere" }}>{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function texts(found: Readonly<Record<string, unknown>>): (readonly [string, string])[] {
  return Object.entries(found)
    .filter(([, value]) => typeof value === "string" || typeof value === "number")
    .map(([name, value]) => [name, String(value)]);
}

function History({ run }: { run: Run }): ReactElement {
  return (
    <Timeline bulletSize={12} lineWidth={2} active={run.history.length}>
      {run.history.map(({ state, at, reason }) => (
        <Timeline.Item key={`${state} ${at}`} title={state} fz="sm">
          <Text size="xs" c="dimmed">
            <time dateTime={at}>{full(at)}</time>
          </Text>
          {reason !== "" && <Text size="xs">{reason}</Text>}
        </Timeline.Item>
      ))}
    </Timeline>
  );
}

/** Clients that play by a program of others: which, and what it was told. */
function Players({ run }: { run: Run }): ReactElement | null {
  const { clients } = readExperiment(run.experiment);
  if (clients.every(({ told }) => told === null)) return null;
  return (
    <Paper p="md">
      <Title order={2} mb="xs">
        Players
      </Title>
      {clients.map(
        ({ player, told }, index) =>
          told !== null && (
            <section key={index} aria-label={`Player of client ${index + 1}`}>
              <Text size="sm" fw={600} mt={4}>
                client {index + 1}: {player}
              </Text>
              <Pairs pairs={told.map(([name, value]) => [name, levelText(value)])} />
            </section>
          ),
      )}
    </Paper>
  );
}

/** What the run ran on, when, and exactly what it was. */
export function ProvenanceTab({ run }: { run: Run }): ReactElement {
  const parts = run.host.wall_s;
  const wall =
    typeof parts === "object" && parts !== null
      ? Object.entries(parts).map(([name, value]) => [name, duration(Number(value))] as const)
      : [];
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
        <Paper p="md">
          <Title order={2} mb="xs">
            Identity
          </Title>
          <Pairs
            pairs={[
              ["key", run.key],
              ["seed", run.seed],
              ["replicate", String(run.replicate + 1)],
              ["combination", String(run.combination + 1)],
              ["attempts", String(run.attempts)],
              ["film", duration(run.film_s)],
              ["stored", quantity(run.size_bytes, "bytes")],
            ]}
          />
        </Paper>
        <Paper p="md">
          <Title order={2} mb="xs">
            Built from
          </Title>
          <Pairs
            pairs={[
              ...texts(run.kernel).map(([name, value]) => [`kernel ${name}`, value] as const),
              ...texts(run.roles),
            ]}
          />
        </Paper>
        <Paper p="md">
          <Title order={2} mb="xs">
            Ran on
          </Title>
          <Pairs
            pairs={[
              ...texts(run.host).filter(([name]) => !["started", "ended"].includes(name)),
              ["took", duration(run.wall_s)],
              ...wall.map(([name, value]) => [`  ${name}`, value] as const),
            ]}
          />
        </Paper>
      </SimpleGrid>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Paper p="md">
          <Title order={2} mb="sm">
            History
          </Title>
          <History run={run} />
        </Paper>
        <Paper p="md">
          <Title order={2} mb="sm">
            Experiment, resolved
          </Title>
          <CodeBlock label="Copy the experiment" text={JSON.stringify(run.experiment, null, 2)} />
        </Paper>
      </SimpleGrid>
      <Players run={run} />
      {run.notes.length > 0 && (
        <Paper p="md">
          <Title order={2} mb="xs">
            Notes
          </Title>
          {run.notes.map((note) => (
            <Code key={JSON.stringify(note)} block>
              {typeof note === "string" ? note : JSON.stringify(note)}
            </Code>
          ))}
        </Paper>
      )}
    </Stack>
  );
}
