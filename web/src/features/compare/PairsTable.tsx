import { Paper, Table, Text } from "@mantine/core";
import type { ReactElement } from "react";
import { shortFactor } from "#/shared/levels/factor";
import { levelText } from "#/shared/levels/text";
import { DifferenceCells } from "#/shared/metrics/DifferenceCells";
import { quantity } from "#/shared/units/format";
import { pairText } from "./pairs";
import type { Comparison } from "./queries";
import { SideMark } from "./SideMark";

const SIDES = ["a", "b"] as const;

/** Each pair of groups: both means, their difference b − a and what it is worth. */
export function PairsTable({ comparison }: { comparison: Comparison }): ReactElement {
  const { factors, metric, pairs, only_a: onlyA, only_b: onlyB } = comparison;
  return (
    <Paper p="sm">
      <Table.ScrollContainer minWidth={140 * factors.length + 520}>
        <Table highlightOnHover>
          <Table.Thead>
            <Table.Tr>
              {factors.map((factor) => (
                <Table.Th key={factor} title={factor}>
                  {shortFactor(factor)}
                </Table.Th>
              ))}
              {SIDES.map((side) => (
                <Table.Th key={side} ta="right">
                  <SideMark side={side} />
                </Table.Th>
              ))}
              <Table.Th ta="right">B − A, 95 % interval</Table.Th>
              <Table.Th ta="right">Share of A</Table.Th>
              <Table.Th>Significance</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {pairs.map((pair) => (
              <Table.Tr key={pairText(pair)}>
                {factors.map((factor) => (
                  <Table.Td key={factor}>{levelText(pair.levels[factor])}</Table.Td>
                ))}
                {SIDES.map((side) => (
                  <Table.Td key={side} ta="right">
                    {quantity(pair[side].mean, metric.unit)}
                    <Text size="xs" c="dimmed">
                      n = {pair[side].n}
                    </Text>
                  </Table.Td>
                ))}
                <DifferenceCells metric={metric} pair={pair} />
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {(onlyA.length > 0 || onlyB.length > 0) && (
        <Text size="xs" c="dimmed" mt="xs">
          Not compared: {onlyA.length} combinations that only A has, {onlyB.length} that only B has.
        </Text>
      )}
    </Paper>
  );
}
