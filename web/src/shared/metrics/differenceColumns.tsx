import { Text, Tooltip } from "@mantine/core";
import type { Column } from "#/shared/ui/DataTable";
import { quantity } from "#/shared/units/format";
import { isBetter, isSignificant, pText, share, signed, type Difference } from "./difference";
import type { Metric } from "./metrics";
import { Way } from "./Way";

interface Differences<Row> {
  metric: Pick<Metric, "unit" | "better">;
  /** What is subtracted from what: "B − A". */
  name: string;
  /** Of what the share is: "A". */
  base: string;
  /** n: pairs of runs. null: the row has none. */
  of: (row: Row) => (Difference & { n: number }) | null;
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
        const { difference, p_adjusted: p, n } = pair;
        const sure = isSignificant(pair);
        return (
          <>
            <Tooltip label={`${n} pairs of runs of one seed; paired t-test, Benjamini–Hochberg`}>
              <Text size="sm" span c={sure ? undefined : "dimmed"}>
                {n === 0 ? "no common seeds" : pText(p)}
              </Text>
            </Tooltip>
            <Way better={sure && difference !== null ? isBetter(difference, metric) : null} />
          </>
        );
      },
    },
  ];
  return columns;
}
