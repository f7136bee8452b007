import { Select } from "@mantine/core";
import type { ReactElement } from "react";

interface RankSelectProps {
  ranks: number;
  /** null: the mean over a run's clients. */
  value: number | null;
  onChange: (rank: number | null) => void;
}

/** Chooses whose value it is; 1 is the client that streamed at the higher mean bitrate. */
export function RankSelect({ ranks, value, onChange }: RankSelectProps): ReactElement {
  const count = Math.max(ranks, value ?? 1);
  return (
    <Select
      label="Client"
      w={{ base: "calc(50% - 6px)", sm: 170 }}
      allowDeselect={false}
      value={value === null ? "mean" : String(value)}
      data={[
        { value: "mean", label: "mean over clients" },
        ...Array.from({ length: count }, (_, index) => ({
          value: String(index + 1),
          label: index === 0 ? "1st by bitrate" : `rank ${index + 1}`,
        })),
      ]}
      onChange={(chosen) => onChange(chosen === null || chosen === "mean" ? null : Number(chosen))}
    />
  );
}
