import { NumberInput, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { api, type Schema } from "#/api/client";
import { useProblemOf } from "#/shared/errors/field";
import { FormModal } from "#/shared/ui/FormModal";
import { GIGABYTE, limitOf, slugOf, typedLimit } from "./limits";

interface FormProps {
  /** null: a new one. */
  team: Schema<"TeamOut"> | null;
  quota: Schema<"QuotaOut"> | null;
  onClose: () => void;
}

const RUNS_AT_FIRST = 1_000_000;

/** Makes a team, or changes its name and quotas. */
export function TeamForm({ team, quota, onClose }: FormProps): ReactElement {
  const [name, setName] = useState(team?.name ?? "");
  const [slug, setSlug] = useState(team?.slug ?? "");
  const [running, setRunning] = useState(typedLimit(quota?.max_running));
  const [stored, setStored] = useState(typedLimit(quota?.max_stored_bytes, GIGABYTE));
  const [runs, setRuns] = useState(
    quota === null ? RUNS_AT_FIRST : typedLimit(quota.max_runs_per_campaign),
  );
  const [filmH, setFilmH] = useState(typedLimit(quota?.max_film_h));
  const [share, setShare] = useState<number | string>(quota?.share ?? 1);
  const queries = useQueryClient();
  const settled = {
    onSuccess: async () => {
      await queries.invalidateQueries();
      onClose();
    },
  };
  const make = api.useMutation("post", "/api/v1/teams", settled);
  const change = api.useMutation("patch", "/api/v1/teams/{team}", settled);
  const error = make.error ?? change.error;
  const problemOf = useProblemOf(error);
  const body = {
    name,
    max_running: limitOf(running),
    max_stored_bytes: limitOf(stored, GIGABYTE),
    max_runs_per_campaign: limitOf(runs),
    max_film_h: limitOf(filmH),
    share: limitOf(share) ?? 1,
  };
  return (
    <FormModal
      opened
      onClose={onClose}
      title={team === null ? "New team" : `Edit ${team.name}`}
      action={team === null ? "Make the team" : "Save"}
      onSubmit={() => {
        if (team === null) make.mutate({ body: { ...body, slug: slug || slugOf(name) } });
        else change.mutate({ params: { path: { team: team.slug } }, body });
      }}
      pending={make.isPending || change.isPending}
      error={error}
    >
      <TextInput
        label="Name"
        required
        data-autofocus
        value={name}
        error={problemOf("name")}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {team === null && (
        <TextInput
          label="In addresses"
          placeholder={slugOf(name)}
          value={slug}
          error={problemOf("slug")}
          onChange={(event) => setSlug(event.currentTarget.value)}
        />
      )}
      <NumberInput
        label="Runs at a time"
        placeholder="no limit"
        min={0}
        allowDecimal={false}
        value={running}
        error={problemOf("max_running")}
        onChange={setRunning}
      />
      <NumberInput
        label="Stored"
        placeholder="no limit"
        suffix=" GB"
        min={0}
        value={stored}
        error={problemOf("max_stored_bytes")}
        onChange={setStored}
      />
      <NumberInput
        label="Runs in one campaign"
        placeholder="no limit"
        thousandSeparator=","
        min={0}
        allowDecimal={false}
        value={runs}
        error={problemOf("max_runs_per_campaign")}
        onChange={setRuns}
      />
      <NumberInput
        label="Film in campaigns that are not over"
        placeholder="no limit"
        suffix=" h"
        thousandSeparator=","
        min={0}
        allowDecimal={false}
        value={filmH}
        error={problemOf("max_film_h")}
        onChange={setFilmH}
      />
      <NumberInput
        label="Share"
        description="With twice another team's it has twice as many runs at a time."
        min={1}
        max={1000}
        allowDecimal={false}
        value={share}
        error={problemOf("share")}
        onChange={setShare}
      />
    </FormModal>
  );
}
