import { Anchor, Code } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { minute } from "#/shared/time/format";
import { DataTable, type Column } from "#/shared/ui/DataTable";
import { count } from "#/shared/units/format";
import type { Night } from "./madeOf";

const SHOWN_HASH = 16;

function columns(team: string): Column<Night>[] {
  return [
    {
      name: "Night",
      w: 170,
      cell: ({ id, night }) => (
        <Anchor
          renderRoot={(props) => (
            <Link
              to="/teams/$team/campaigns/$campaign"
              params={{ team, campaign: id }}
              {...props}
            />
          )}
        >
          {minute(night)}
        </Anchor>
      ),
    },
    { name: "Runs", title: "Of it that the card shows", w: 90, cell: ({ runs }) => count(runs) },
    {
      name: "Lab kernel",
      cell: ({ kernel_hash: hash }) => <Code>{hash.slice(0, SHOWN_HASH)}</Code>,
    },
    {
      name: "Programs in the cell",
      from: "sm",
      cell: ({ roles_hash: hash }) => <Code>{hash.slice(0, SHOWN_HASH)}</Code>,
    },
  ];
}

/** The nights of a trend that a card shows, newest first. */
export function Nights({ team, of }: { team: string; of: readonly Night[] }): ReactElement {
  return (
    <DataTable
      columns={columns(team)}
      rows={of.toReversed()}
      keyOf={({ id }) => id}
      verticalSpacing={3}
    />
  );
}
