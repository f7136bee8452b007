import { Badge } from "@mantine/core";
import type { ReactElement } from "react";
import type { Schema } from "#/api/client";

/** How far a bisection is. */
export function StateText({ of }: { of: Schema<"BisectionOut"> }): ReactElement {
  if (of.state === "running")
    return (
      <Badge variant="light" tt="none">
        one of {of.left} commits
      </Badge>
    );
  const found = of.state === "found";
  return (
    <Badge variant="light" tt="none" color={found ? "teal" : "yellow"}>
      {found ? "found" : "not found"}
    </Badge>
  );
}
