import { useComputedColorScheme } from "@mantine/core";
import type { ReactElement } from "react";
import { seriesColour } from "#/shared/theme/palette";

/** A or B in the colour that it has in plots. */
export function SideMark({ side }: { side: "a" | "b" }): ReactElement {
  const scheme = useComputedColorScheme("light");
  return (
    <span style={{ fontWeight: 650, color: seriesColour(scheme, side === "a" ? 0 : 1) }}>
      {side.toUpperCase()}
    </span>
  );
}
