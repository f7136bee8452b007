import { Table, Text, Tooltip } from "@mantine/core";
import type { ReactElement } from "react";
import { quantity } from "#/shared/units/format";
import { isBetter, isSignificant, pText, share, signed, type Difference } from "./difference";
import type { Metric } from "./metrics";
import { Way } from "./Way";

interface DifferenceCellsProps {
  metric: Pick<Metric, "unit" | "better">;
  pair: Difference & { n: number };
}

/** Three cells of a table: difference with its interval, share, significance. */
export function DifferenceCells({ metric, pair }: DifferenceCellsProps): ReactElement {
  const { difference, ci_low: low, ci_high: high, relative, p_adjusted: p, n } = pair;
  const sure = isSignificant(pair);
  const better = sure && difference !== null ? isBetter(difference, metric) : null;
  return (
    <>
      <Table.Td ta="right">
        <Text size="sm" fw={sure ? 650 : 400}>
          {signed(difference, metric.unit)}
        </Text>
        {low !== null && high !== null && (
          <Text size="xs" c="dimmed" style={{ whiteSpace: "nowrap" }}>
            {quantity(low, metric.unit)} … {quantity(high, metric.unit)}
          </Text>
        )}
      </Table.Td>
      <Table.Td ta="right">{share(relative)}</Table.Td>
      <Table.Td>
        <Tooltip label={`${n} pairs of runs of one seed; paired t-test, Benjamini–Hochberg`}>
          <Text size="sm" span c={sure ? undefined : "dimmed"}>
            {n === 0 ? "no common seeds" : pText(p)}
          </Text>
        </Tooltip>
        <Way better={better} />
      </Table.Td>
    </>
  );
}
