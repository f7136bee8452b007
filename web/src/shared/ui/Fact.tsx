import { Text } from "@mantine/core";
import type { ReactElement, ReactNode } from "react";

/** A number or a word with its name above it; several stand in a row. */
export function Fact({ name, children }: { name: string; children: ReactNode }): ReactElement {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text component="div" fw={600} style={{ fontVariantNumeric: "tabular-nums" }}>
        {children}
      </Text>
    </div>
  );
}
