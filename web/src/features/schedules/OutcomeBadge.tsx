import { Badge, Tooltip } from "@mantine/core";
import type { ReactElement } from "react";
import type { Tick } from "./queries";

const COLOURS: Record<Tick["outcome"], string> = {
  submitted: "teal",
  due: "blue",
  waiting: "blue",
  skipped: "gray",
  missed: "yellow",
  failed: "red",
};

/** What came of a time; why on hover. */
export function OutcomeBadge({ tick }: { tick: Tick }): ReactElement {
  return (
    <Tooltip label={tick.detail} disabled={tick.detail === ""} multiline maw={360}>
      <Badge variant="dot" color={COLOURS[tick.outcome]} tt="none">
        {tick.outcome}
      </Badge>
    </Tooltip>
  );
}
