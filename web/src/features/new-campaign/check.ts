/** What the server says of a draft: whether it may be submitted, how large it is, what it costs. */
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { client, type Schema } from "#/api/client";
import type { Draft } from "./draft";

const TYPING_MS = 400;

export type CampaignIn = Schema<"CampaignIn">;
export type Validation = Schema<"Validation">;
export type Estimate = Schema<"EstimateOut">;

/** A draft as it is sent. */
export function bodyOf({ text, files, priority }: Draft): CampaignIn {
  return { document: text, files, overrides: {}, priority };
}

/** Asks a little after the last key. `settled`: the answer is for what stands there now. */
export function useCheck(team: string, draft: Draft) {
  const body = useMemo(() => bodyOf(draft), [draft]);
  const [asked] = useDebouncedValue(body, TYPING_MS);
  const params = { path: { team } };
  const validation = useQuery({
    queryKey: ["validate", team, asked],
    queryFn: async ({ signal }): Promise<Validation> => {
      const { data, error } = await client.POST("/api/v1/teams/{team}/campaigns/validate", {
        params,
        body: asked,
        signal,
      });
      if (data === undefined) throw error;
      return data;
    },
    enabled: asked.document !== "",
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  const valid = validation.data?.valid === true && !validation.isPlaceholderData;
  const estimate = useQuery({
    queryKey: ["estimate", team, asked],
    queryFn: async ({ signal }): Promise<Estimate> => {
      const { data, error } = await client.POST("/api/v1/teams/{team}/campaigns/estimate", {
        params,
        body: asked,
        signal,
      });
      if (data === undefined) throw error;
      return data;
    },
    enabled: valid,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  const settled = asked === body && !validation.isPlaceholderData;
  return { validation, estimate, settled };
}
