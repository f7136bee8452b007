import { Text } from "@mantine/core";
import type { Column } from "#/shared/ui/DataTable";
import { full } from "./format";

/** When each row was, which folds into the next column on a phone. */
export function whenColumn<Row extends { at: string }>(w: number): Column<Row> {
  return {
    name: "When",
    w,
    from: "sm",
    folded: ({ at }) => (
      <Text size="xs" c="dimmed">
        {full(at)}
      </Text>
    ),
    cell: ({ at }) => full(at),
  };
}
