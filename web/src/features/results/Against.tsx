import { Group, NativeSelect, Text } from "@mantine/core";
import type { ReactElement } from "react";
import type { Contrast } from "#/shared/plots/contrasts";

interface AgainstProps {
  /** Texts of the levels that are compared. */
  levels: readonly string[];
  level: string;
  contrasts: readonly Contrast[];
  onChange: (level: string) => void;
}

/** What the signs over the bars say, and against which level. */
export function Against({ levels, level, contrasts, onChange }: AgainstProps): ReactElement {
  return (
    <Group gap={6} mt={4}>
      <Text size="xs" c="dimmed">
        {contrasts.length === 0 ? "Nothing differs" : "▲ better, ▼ worse, ≠ different"} beyond
        chance from
      </Text>
      <NativeSelect
        size="xs"
        aria-label="Compared with"
        value={level}
        data={[...levels]}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
      <Text size="xs" c="dimmed">
        over runs of one seed: at most 5 % of the signs are false (paired t-tests,
        Benjamini–Hochberg over the picture).
      </Text>
    </Group>
  );
}
