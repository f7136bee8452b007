import { Text, Tooltip } from "@mantine/core";
import type { Column } from "#/shared/ui/DataTable";
import { quantity } from "#/shared/units/format";
import { ALIKE, counted } from "./counted";
import { isBetter, isSignificant, pText, share, signed, type Difference } from "./difference";
import type { Metric } from "./metrics";
import { Way } from "./Way";

interface Differences<Row> {
  metric: Pick<Metric, "unit" | "better">;
  /** What is subtracted from what: "B − A". */
  name: string;
  /** Of what the share is: "A". */
  base: string;
  /** null: the row has none. */
  of: (row: Row) => Difference | null;
}

function basis({ n, distinct, p_adjusted: p }: Difference): string {
  if (n === 0) return "Runs are compared by seed, and the two have no seed in common.";
  if (p === null && n > 1 && distinct === 1) return ALIKE;
  return (
    "Runs of one seed are paired; paired t-test over distinct pairs. Adjusted for all rows " +
    "(Benjamini–Hochberg), so that it can be above 0.05 where an interval leaves out 0."
  );
}

/** Three columns: a difference with its interval, its share, its significance. */
export function differenceColumns<Row>({ metric, name, base, of }: Differences<Row>) {
  const columns: Column<Row>[] = [
    {
      name: `${name}, 95 % interval`,
      align: "right",
      cell: (row) => {
        const pair = of(row);
        if (pair === null) return null;
        const { difference, ci_low: low, ci_high: high } = pair;
        return (
          <>
            <Text size="sm" fw={isSignificant(pair) ? 650 : 400}>
              {signed(difference, metric.unit)}
            </Text>
            {low !== null && high !== null && (
              <Text size="xs" c="dimmed" style={{ whiteSpace: "nowrap" }}>
                {quantity(low, metric.unit)} … {quantity(high, metric.unit)}
              </Text>
            )}
          </>
        );
      },
    },
    {
      name: `Relative to ${base}`,
      align: "right",
      cell: (row) => share(of(row)?.relative ?? null),
    },
    {
      name: "Significance",
      cell: (row) => {
        const pair = of(row);
        if (pair === null) return null;
        const { difference } = pair;
        const sure = isSignificant(pair);
        return (
          <>
            <Tooltip label={basis(pair)} multiline maw={320}>
              <Text size="sm" span c={sure ? undefined : "dimmed"}>
                {pText(pair)}
              </Text>
            </Tooltip>
            <Text size="xs" c="dimmed">
              {counted(pair, "pairs")}
            </Text>
            <Way better={sure && difference !== null ? isBetter(difference, metric) : null} />
          </>
        );
      },
    },
  ];
  return columns;
}
