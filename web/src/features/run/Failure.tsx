import { Alert, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactElement } from "react";
import { CodeBlock } from "#/shared/ui/CodeBlock";
import { readExperiment } from "./experiment";
import classes from "./failure.module.css";
import type { Run } from "./queries";
import { excerpt, lastPlace } from "./traceback";

/** The lines of a client's own code that it failed in. */
function Source({ run }: { run: Run }): ReactElement | null {
  const sources = readExperiment(run.experiment).clients.flatMap(({ source }) => source ?? []);
  const place = lastPlace(
    run.traceback,
    sources.map(({ name }) => name),
  );
  const text = sources.find(({ name }) => name === place?.file)?.text;
  if (place === null || text === undefined) return null;
  return (
    <figure className={classes.source}>
      <figcaption>
        {place.file}, line {place.line}
      </figcaption>
      <pre tabIndex={0} aria-label={`${place.file} around line ${place.line}`}>
        {excerpt(text, place.line).map(({ number, text: line, isWrong }) => (
          <div key={number} className={isWrong ? classes.wrong : undefined}>
            <span className={classes.number}>{number}</span>
            {isWrong ? <mark>{line}</mark> : line}
          </div>
        ))}
      </pre>
    </figure>
  );
}

/** Why a run failed or is invalid, and where its own code went wrong. */
export function Failure({ run }: { run: Run }): ReactElement {
  const colour = run.state === "invalid" ? "--weir-invalid" : "--weir-failed";
  return (
    <Alert
      variant="default"
      icon={<IconAlertTriangle />}
      title={run.state === "invalid" ? "This run is invalid" : `This run ${run.state}`}
      style={{ borderInlineStart: `3px solid var(${colour})` }}
      styles={{
        icon: { color: `var(${colour})` },
        wrapper: { minWidth: 0 },
        body: { minWidth: 0 },
      }}
    >
      <Stack gap="xs">
        <Text size="sm" style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
          {run.reason}
        </Text>
        <Source run={run} />
        {run.traceback !== "" && (
          <details>
            <summary className={classes.summary}>Traceback</summary>
            <CodeBlock label="Copy the traceback" text={run.traceback.trimEnd()} />
          </details>
        )}
      </Stack>
    </Alert>
  );
}
