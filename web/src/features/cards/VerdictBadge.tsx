import { Badge } from "@mantine/core";
import type { ReactElement } from "react";
import type { Reproduction } from "./queries";

const VERDICTS = {
  same: ["teal", "same bytes"],
  different: ["red", "different bytes"],
  incomplete: ["yellow", "not all compared"],
} as const;

/** What came of carrying a card's runs out again. */
export function VerdictBadge({ of }: { of: Reproduction }): ReactElement {
  const [color, words] = of.verdict === null ? ["blue", "under way"] : VERDICTS[of.verdict];
  return (
    <Badge variant="dot" tt="none" color={color}>
      {words}
    </Badge>
  );
}
