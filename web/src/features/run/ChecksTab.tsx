import { Code, Paper, Stack, Text, Title } from "@mantine/core";
import { IconCircleCheck, IconCircleX } from "@tabler/icons-react";
import type { ReactElement } from "react";
import { DataTable, type Column } from "#/shared/ui/DataTable";
import { checksOf, checkTitle, checkValue, commandLines, toleranceText, type Check } from "./check";
import { Commands } from "./Commands";
import { hasEnded, type Run } from "./queries";

function Holds({ ok }: { ok: boolean }): ReactElement {
  const Icon = ok ? IconCircleCheck : IconCircleX;
  return (
    <Icon
      size={18}
      color={`var(${ok ? "--weir-succeeded" : "--weir-failed"})`}
      aria-label={ok ? "holds" : "does not hold"}
    />
  );
}

function Applied({ name, applied }: Check): ReactElement {
  const lines = commandLines(applied);
  if (lines === null) return <>{checkValue(name, applied)}</>;
  return (
    <>
      {lines.map((line) => (
        <Code key={line} block p={4} fz={11}>
          {line}
        </Code>
      ))}
    </>
  );
}

const COLUMNS: readonly Column<Check>[] = [
  { name: "", w: 44, cell: ({ ok }) => <Holds ok={ok} /> },
  {
    name: "Condition",
    cell: ({ name }) => (
      <Text size="sm" fw={550} title={name}>
        {checkTitle(name)}
      </Text>
    ),
  },
  { name: "Asked", cell: ({ name, asked }) => checkValue(name, asked) },
  { name: "Applied", cell: (check) => <Applied {...check} /> },
  {
    name: "Measured",
    cell: (check) => (
      <>
        {checkValue(check.name, check.measured)}
        <Text size="xs" c="dimmed">
          {toleranceText(check)}
        </Text>
      </>
    ),
  },
];

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
          <DataTable columns={COLUMNS} rows={checks} keyOf={({ name }) => name} minWidth={720} />
        </Paper>
      )}
      {run.commands.length > 0 && <Commands commands={run.commands} />}
    </Stack>
  );
}
