import { Skeleton, Stack } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactElement, ReactNode } from "react";
import { ProblemAlert } from "#/shared/errors/ProblemAlert";

interface LoadedProps<Data> {
  query: Pick<UseQueryResult<Data, unknown>, "data" | "error"> & { refetch: () => unknown };
  children: (data: Data) => ReactNode;
  /** Pixels of the placeholder while it loads. */
  height?: number;
}

/** A query's data; before that a placeholder, or what went wrong. Old data stays when a later
 * fetch fails. */
export function Loaded<Data>({ query, children, height = 120 }: LoadedProps<Data>): ReactElement {
  if (query.data !== undefined) return <>{children(query.data)}</>;
  if (query.error) return <ProblemAlert error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <Stack gap="xs" role="status" aria-busy aria-label="Loading">
      <Skeleton height={18} width="40%" />
      <Skeleton height={height} />
    </Stack>
  );
}
