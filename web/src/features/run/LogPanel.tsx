import { Paper, Text, Title } from "@mantine/core";
import type { ReactElement } from "react";
import { CodeBlock } from "#/shared/ui/CodeBlock";
import { Loaded } from "#/shared/ui/Loaded";
import { useLog, type Run } from "./queries";

/** What the lab kernel and the roles said. */
export function LogPanel({ run }: { run: Run }): ReactElement {
  const log = useLog(run);
  return (
    <Paper p="md">
      <Title order={2} mb="xs">
        Log
      </Title>
      <Loaded query={log} height={160}>
        {(text) =>
          text.trim() === "" ? (
            <Text c="dimmed" size="sm">
              Nothing was said.
            </Text>
          ) : (
            <CodeBlock label="Copy the log" text={text} />
          )
        }
      </Loaded>
    </Paper>
  );
}
