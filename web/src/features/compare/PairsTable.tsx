import { Paper, Text } from "@mantine/core";
import type { ReactElement } from "react";
import { shortFactor } from "#/shared/levels/factor";
import { levelText } from "#/shared/levels/text";
import { counted } from "#/shared/metrics/counted";
import { differenceColumns } from "#/shared/metrics/differenceColumns";
import { DataTable, type Column } from "#/shared/ui/DataTable";
import { quantity } from "#/shared/units/format";
import { pairText } from "./pairs";
import type { Comparison, Pair } from "./queries";
import { SideMark } from "./SideMark";

const SIDES = ["a", "b"] as const;

/** What a side's mean is over; its mean over all its runs, where those are more than the pairs. */
function ownRuns(pair: Pair, side: "a" | "b", unit: string): string {
  const own = pair[side];
  if (pair.n === 0) return `all ${counted(own)}`;
  if (pair.n === own.n) return counted(own);
  return `over pairs; all ${counted(own)}: ${quantity(own.mean, unit)}`;
}

function columnsOf({ factors, metric }: Comparison): Column<Pair>[] {
  return [
    ...(factors.length > 1
      ? [{ name: "Levels", until: "sm" as const, cell: (pair: Pair) => pairText(pair) }]
      : []),
    ...factors.map((factor) => ({
      name: shortFactor(factor),
      title: factor,
      from: factors.length > 1 ? ("sm" as const) : undefined,
      cell: ({ levels }: Pair) => levelText(levels[factor]),
    })),
    ...SIDES.map((side) => ({
      name: side,
      head: <SideMark side={side} />,
      align: "right" as const,
      cell: (pair: Pair) => (
        <>
          {quantity(pair.n > 0 ? pair[`mean_${side}`] : pair[side].mean, metric.unit)}
          <Text size="xs" c="dimmed">
            {ownRuns(pair, side, metric.unit)}
          </Text>
        </>
      ),
    })),
    ...differenceColumns<Pair>({ metric, name: "B − A", base: "A", of: (pair) => pair }),
  ];
}

/** Each pair of groups: both means over the runs that are paired, their difference b − a and what it is worth. */
export function PairsTable({ comparison }: { comparison: Comparison }): ReactElement {
  const { pairs, only_a: onlyA, only_b: onlyB } = comparison;
  return (
    <Paper p="sm">
      <DataTable columns={columnsOf(comparison)} rows={pairs} keyOf={pairText} minWidth={480} />
      {(onlyA.length > 0 || onlyB.length > 0) && (
        <Text size="xs" c="dimmed" mt="xs">
          Not compared: {onlyA.length} combinations that only A has, {onlyB.length} that only B has.
        </Text>
      )}
    </Paper>
  );
}
