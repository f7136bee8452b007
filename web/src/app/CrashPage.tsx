import type { ErrorComponentProps } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { ProblemAlert } from "#/shared/errors/ProblemAlert";
import { Page } from "#/shared/ui/Page";

/** For what a page could not handle itself. */
export function CrashPage({ error, reset }: ErrorComponentProps): ReactElement {
  return (
    <Page title="This page failed">
      <ProblemAlert error={error} onRetry={reset} />
    </Page>
  );
}
