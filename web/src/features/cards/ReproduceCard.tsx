import { Alert, Button, Group, List, Modal, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { api, type Schema } from "#/api/client";
import { ProblemAlert } from "#/shared/errors/ProblemAlert";
import { Fact } from "#/shared/ui/Fact";
import { Loaded } from "#/shared/ui/Loaded";
import { count, duration, runCount } from "#/shared/units/format";
import { NotCompared } from "./NotCompared";
import { nightsOf } from "./madeOf";
import { OfNights } from "./Origin";
import { useReproductionEstimate, type CardDetail } from "./queries";

function Cost({ of }: { of: Schema<"ReproductionEstimate"> }): ReactElement {
  return (
    <Stack gap="sm">
      {of.runs > 0 && (
        <Group style={{ gap: "8px 32px" }}>
          <Fact name="Runs">{count(of.runs)}</Fact>
          <Fact name="Film in all">{duration(of.film_s)}</Fact>
          <Fact name="Expected time">{duration(of.wall_s)}</Fact>
          <Fact name="Runs at a time">{count(of.jobs)}</Fact>
        </Group>
      )}
      <NotCompared
        title={of.runs > 0 ? "Some cannot be compared" : "None of its runs can be compared"}
        of={of.left_out}
      />
      {of.refusals.length > 0 && (
        <Alert variant="default" title="The team's quotas have no room">
          <List size="sm">
            {of.refusals.map((reason) => (
              <List.Item key={reason}>{reason}</List.Item>
            ))}
          </List>
        </Alert>
      )}
    </Stack>
  );
}

/** Says what carrying the card's runs out again costs, and has it done. */
export function ReproduceCard({
  card,
  onClose,
}: {
  card: CardDetail;
  onClose: () => void;
}): ReactElement {
  const estimate = useReproductionEstimate(card.id);
  const queries = useQueryClient();
  const begin = api.useMutation("post", "/api/v1/cards/{card}/reproductions", {
    onSuccess: async () => {
      onClose();
      await queries.invalidateQueries();
    },
  });
  const may = estimate.data !== undefined && estimate.data.runs > 0 && estimate.data.allowed;
  return (
    <Modal opened onClose={onClose} title={`Reproduce ${card.name}`} size="lg">
      <Stack gap="sm">
        <Text size="sm">
          The platform&apos;s workers carry its runs out again, and compare every file with the
          stored one. What is stored stays as it is. It takes as much work as the first time.
        </Text>
        {nightsOf(card.campaigns).length > 0 && <OfNights />}
        <Loaded query={estimate} height={60}>
          {(found) => <Cost of={found} />}
        </Loaded>
        {begin.error !== null && <ProblemAlert error={begin.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Leave it
          </Button>
          <Button
            disabled={!may}
            loading={begin.isPending}
            onClick={() => begin.mutate({ params: { path: { card: card.id } } })}
          >
            {may ? `Carry out ${runCount(estimate.data.runs)} again` : "Carry out again"}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
