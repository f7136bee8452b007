import { UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import type { ReactElement } from "react";

/** Which way a sort goes by one of its names: `wall_s`, `-wall_s`. */
export function wayOf(sort: string, by: string): "ascending" | "descending" | undefined {
  return sort === by ? "ascending" : sort === `-${by}` ? "descending" : undefined;
}

/** A column's head that sorts by it: rising, then falling, then in the campaign's order. */
export function SortHead(props: {
  name: string;
  by: string;
  sort: string;
  onSort: (sort: string | undefined) => void;
}): ReactElement {
  const { name, by, sort, onSort } = props;
  const way = wayOf(sort, by);
  const next = { ascending: `-${by}`, descending: undefined, none: by }[way ?? "none"];
  const Arrow = way === "descending" ? IconArrowDown : IconArrowUp;
  return (
    <UnstyledButton
      fz="inherit"
      fw="inherit"
      onClick={() => onSort(next)}
      style={{ display: "inline-flex", alignItems: "center", gap: 3 }}
    >
      {name}
      {way !== undefined && <Arrow size={13} aria-hidden />}
    </UnstyledButton>
  );
}
