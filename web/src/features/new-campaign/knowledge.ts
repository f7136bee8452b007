/** What a campaign may hold: its schema, and the names that this server knows. */
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api } from "#/api/client";

const LIBRARY = { staleTime: Infinity } as const;

export function useKnowledge() {
  const schema = useQuery(api.queryOptions("get", "/api/v1/library/schema", undefined, LIBRARY));
  const choices = useQuery(api.queryOptions("get", "/api/v1/library/choices", undefined, LIBRARY));
  const data = useMemo(
    () =>
      schema.data !== undefined && choices.data !== undefined
        ? { schema: schema.data, choices: choices.data }
        : undefined,
    [schema.data, choices.data],
  );
  const refetch = schema.isError ? schema.refetch : choices.refetch;
  return { data, error: schema.error ?? choices.error, refetch: () => void refetch() };
}
