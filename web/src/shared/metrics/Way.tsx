import { Text } from "@mantine/core";
import type { ReactElement } from "react";

/** Better or worse, as a word with a dot of its colour; nothing for neither. */
export function Way({ better }: { better: boolean | null }): ReactElement | null {
  if (better === null) return null;
  const colour = better ? "--weir-succeeded" : "--weir-failed";
  return (
    <Text size="xs" component="div" style={{ whiteSpace: "nowrap" }}>
      <span aria-hidden style={{ color: `var(${colour})` }}>
        ●
      </span>{" "}
      {better ? "better" : "worse"}
    </Text>
  );
}
