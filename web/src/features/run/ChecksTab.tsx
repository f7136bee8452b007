import { Code, Paper, Stack, Table, Text, Title } from "@mantine/core";
import { IconCircleCheck, IconCircleX } from "@tabler/icons-react";
import type { ReactElement } from "react";
import { checksOf, checkTitle, checkValue, commandLines, toleranceText, type Check } from "./check";
import { Commands } from "./Commands";
import { hasEnded, type Run } from "./queries";

function Row({ check }: { check: Check }): ReactElement {
  const { name, ok, asked, applied, measured } = check;
  const lines = commandLines(applied);
  const Icon = ok ? IconCircleCheck : IconCircleX;
  return (
    <Table.Tr>
      <Table.Td w={28} c={`var(${ok ? "--weir-succeeded" : "--weir-failed"})`} lh={0}>
        <Icon size={18} aria-label={ok ? "holds" : "does not hold"} />
      </Table.Td>
      <Table.Td fw={550} title={name}>
        {checkTitle(name)}
      </Table.Td>
      <Table.Td>{checkValue(name, asked)}</Table.Td>
      <Table.Td>
        {lines === null
          ? checkValue(name, applied)
          : lines.map((line) => (
              <Code key={line} block p={4} fz={11}>
                {line}
              </Code>
            ))}
      </Table.Td>
      <Table.Td>
        {checkValue(name, measured)}
        <Text size="xs" c="dimmed">
          {toleranceText(check)}
        </Text>
      </Table.Td>
    </Table.Tr>
  );
}

/** Whether the cell was what the experiment asked for, and the commands that made it so. */
export function ChecksTab({ run }: { run: Run }): ReactElement {
  const checks = checksOf(run.checks);
  if (checks.length === 0 && run.commands.length === 0)
    return (
      <Text c="dimmed">
        {hasEnded(run)
          ? "This run ended before its cell was set up."
          : `This run is ${run.state}: its cell is checked at its end.`}
      </Text>
    );
  return (
    <Stack gap="md">
      {checks.length > 0 && (
        <Paper p="md">
          <Title order={2} mb="xs">
            Asked, applied, measured
          </Title>
          <Table.ScrollContainer minWidth={720}>
            <Table>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th />
                  <Table.Th>Condition</Table.Th>
                  <Table.Th>Asked</Table.Th>
                  <Table.Th>Applied</Table.Th>
                  <Table.Th>Measured</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {checks.map((check) => (
                  <Row key={check.name} check={check} />
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </Paper>
      )}
      {run.commands.length > 0 && <Commands commands={run.commands} />}
    </Stack>
  );
}
