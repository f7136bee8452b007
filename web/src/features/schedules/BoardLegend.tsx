import { Group } from "@mantine/core";
import type { ReactElement } from "react";
import classes from "./board.module.css";

const ENTRIES = [
  ["worse", "worse"],
  ["better", "better"],
  ["higher", "higher or lower, neither of which is better"],
  ["cannot tell", "cannot tell"],
  ["same", "no matter; = the same"],
] as const;

/** What the colours of the grid say. */
export function BoardLegend(): ReactElement {
  return (
    <Group gap={6} mb="xs">
      {ENTRIES.map(([verdict, words]) => (
        <span key={verdict} className={classes.entry} data-verdict={verdict}>
          {words}
        </span>
      ))}
    </Group>
  );
}
