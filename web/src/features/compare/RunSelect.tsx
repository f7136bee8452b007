import { Loader, Select } from "@mantine/core";
import { useState, type ReactElement } from "react";
import { levelText } from "#/shared/levels/text";
import { useRuns, type Run } from "./queries";

interface RunSelectProps {
  label: string;
  /** Whose runs are offered; any number can be typed. */
  campaign: string | undefined;
  value: number | undefined;
  onChange: (run: number) => void;
}

/** 71 · cubic · rwtm · replicate 2 */
export function runName({ id, levels, replicate }: Pick<Run, "id" | "levels" | "replicate">) {
  const told = Object.values(levels).map(levelText);
  return [id, ...told, `replicate ${replicate + 1}`].join(" · ");
}

/** Chooses a run by its number, or by its levels among a campaign's. */
export function RunSelect({ label, campaign, value, onChange }: RunSelectProps): ReactElement {
  const [typed, setTyped] = useState("");
  const { data, isFetching } = useRuns(campaign);
  const listed = (data?.items ?? []).map((run) => ({ value: String(run.id), label: runName(run) }));
  const known = new Set(listed.map((each) => each.value));
  const named = [typed.trim(), value === undefined ? "" : String(value)];
  const others = [...new Set(named)].filter((each) => /^[1-9]\d*$/.test(each) && !known.has(each));
  return (
    <Select
      label={label}
      placeholder="Its number, or a level"
      w={{ base: "100%", sm: 340 }}
      searchable
      allowDeselect={false}
      limit={100}
      value={value === undefined ? null : String(value)}
      data={[...others.map((each) => ({ value: each, label: each })), ...listed]}
      onSearchChange={setTyped}
      nothingFoundMessage="No run fits: type its number, or choose another campaign"
      rightSection={isFetching ? <Loader size={14} /> : undefined}
      onChange={(chosen) => chosen !== null && onChange(Number(chosen))}
    />
  );
}
