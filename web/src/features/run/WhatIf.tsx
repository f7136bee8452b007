import { Button, CloseButton, Group, Loader, Paper, Text } from "@mantine/core";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useEffect, type ReactElement } from "react";
import { api } from "#/api/client";
import { notifyProblem } from "#/shared/errors/notify";
import { number } from "#/shared/units/format";
import type { Decision } from "./decision";
import { hasEnded, type Run } from "./queries";

const POLL_MS = 1_000;

interface WhatIfProps {
  run: Run;
  decision: Decision;
  /** The ladder's levels, lowest first. */
  levels: readonly string[];
  onClose: () => void;
}

/** Offers other levels for a segment; one that is chosen is run, and both runs are compared. */
export function WhatIf({ run, decision, levels, onClose }: WhatIfProps): ReactElement {
  const { client, segment, level, atS } = decision;
  const { team } = useParams({ from: "/inside/teams/$team/runs/$run" });
  const navigate = useNavigate();
  const ask = api.useMutation("post", "/api/v1/runs/{run}/whatif", { onError: notifyProblem });
  const campaign = ask.data?.id ?? "";
  const made = api.useQuery(
    "get",
    "/api/v1/campaigns/{campaign}/runs",
    { params: { path: { campaign }, query: { limit: 1 } } },
    { enabled: campaign !== "", refetchInterval: POLL_MS },
  ).data?.items[0];
  const ended = made !== undefined && hasEnded(made) ? made.id : undefined;
  useEffect(() => {
    if (ended !== undefined)
      void navigate({
        to: "/teams/$team/compare/runs",
        params: { team },
        search: { a: run.id, b: ended },
      });
  }, [ended, navigate, run.id, team]);
  return (
    <Paper p="sm" role="region" aria-label="What if">
      <Group gap="xs">
        <Text size="sm">
          What if client {client} had played another level than {levels[level] ?? level} in segment{" "}
          {segment}, at {number(atS, 4)} s?
        </Text>
        {campaign === "" ? (
          levels.map((name, other) =>
            other === level ? null : (
              <Button
                key={name}
                size="compact-xs"
                variant="default"
                disabled={ask.isPending}
                onClick={() =>
                  ask.mutate({
                    params: { path: { run: run.id } },
                    body: { client, segment, level: other },
                  })
                }
              >
                {name}
              </Button>
            ),
          )
        ) : (
          <Group gap="xs" role="status" aria-busy>
            <Loader size={12} />
            <Text size="xs" c="dimmed">
              {made === undefined ? "Submitted …" : `The run is ${made.state} …`}
            </Text>
          </Group>
        )}
        <CloseButton size="sm" aria-label="No what-if" onClick={onClose} />
      </Group>
    </Paper>
  );
}
