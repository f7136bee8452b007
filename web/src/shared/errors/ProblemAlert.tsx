import { Alert, Button, Code, List, Text } from "@mantine/core";
import { IconAlertTriangle, IconPlugConnectedX } from "@tabler/icons-react";
import type { ReactElement } from "react";
import { readProblem } from "./problem";

interface ProblemAlertProps {
  error: unknown;
  onRetry?: () => void;
}

/** What went wrong: for bad input each field with its value, what is allowed and what to do. */
export function ProblemAlert({ error, onRetry }: ProblemAlertProps): ReactElement {
  const { status, title, detail, problems } = readProblem(error);
  return (
    <Alert
      variant="default"
      style={{
        borderInlineStart: `3px solid var(${status === 0 ? "--weir-dim" : "--weir-failed"})`,
      }}
      styles={{ icon: { color: `var(${status === 0 ? "--weir-dim" : "--weir-failed"})` } }}
      icon={status === 0 ? <IconPlugConnectedX /> : <IconAlertTriangle />}
      title={title}
      role="alert"
    >
      {detail !== "" && <Text size="sm">{detail}</Text>}
      {problems.length > 0 && (
        <List size="sm" mt={6} spacing={4}>
          {problems.map(({ path, value, allowed, remedy }) => (
            <List.Item key={`${path} ${String(value)}`}>
              <Code>{path}</Code>
              {value !== null && value !== undefined && <>: {JSON.stringify(value)}</>}
              {allowed !== "" && <> — allowed: {allowed}</>}
              {remedy !== "" && <>; {remedy}</>}
            </List.Item>
          ))}
        </List>
      )}
      {onRetry !== undefined && (
        <Button mt="xs" variant="default" onClick={onRetry}>
          Try again
        </Button>
      )}
    </Alert>
  );
}
