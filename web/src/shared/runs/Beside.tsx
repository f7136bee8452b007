import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactElement, ReactNode } from "react";
import { useTeam } from "#/shared/session/session";

/** Leads to two runs beside each other. */
export function Beside(props: { a: number; b: number; children: ReactNode }): ReactElement {
  const team = useTeam();
  return (
    <Anchor
      size="sm"
      renderRoot={(own) => (
        <Link
          to="/teams/$team/compare/runs"
          params={{ team }}
          search={{ a: props.a, b: props.b }}
          {...own}
        />
      )}
    >
      {props.children}
    </Anchor>
  );
}
