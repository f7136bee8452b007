import { Select } from "@mantine/core";
import type { ReactElement } from "react";
import { ProblemAlert } from "#/shared/errors/ProblemAlert";
import { useSources, type Source } from "./sources";

interface SourceProps {
  team: string;
  /** Whether it is shown: then what there is is fetched. */
  enabled: boolean;
  value: Source | null;
  onChange: (source: Source | null) => void;
  /** In place of a choice; without it one has to be made. */
  kept?: string;
}

/** Which campaign a schedule submits: one of the team's, or a shipped one. */
export function SourceSelect({ team, enabled, value, onChange, kept }: SourceProps): ReactElement {
  const { ofTeam, ofWeir, error } = useSources(team, enabled);
  const all = [...ofTeam, ...ofWeir];
  return (
    <>
      <Select
        label="Campaign"
        required={kept === undefined}
        clearable={kept !== undefined}
        size="sm"
        searchable
        placeholder={kept ?? "What it submits"}
        data={[
          { group: "Your team's", items: ofTeam },
          { group: "Shipped", items: ofWeir },
        ]}
        value={value?.value ?? null}
        onChange={(next) => onChange(all.find((each) => each.value === next) ?? null)}
      />
      {error && <ProblemAlert error={error} />}
    </>
  );
}
