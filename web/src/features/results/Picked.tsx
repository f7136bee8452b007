import { Button, Group, Paper, Table, Text, Title } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { ReactElement, ReactNode } from "react";
import { DifferenceCells } from "#/shared/metrics/DifferenceCells";
import type { Metric } from "#/shared/metrics/metrics";
import { Loaded } from "#/shared/ui/Loaded";
import { quantity } from "#/shared/units/format";
import { cellText, pivot } from "./pivot";
import { useContrasts, type Campaign } from "./queries";
import type { Asked, CellName } from "./search";

interface PickedProps {
  campaign: Campaign;
  metric: Metric;
  asked: Asked;
  /** At least two; the first is what the others are compared with. */
  picked: readonly CellName[];
  picture: ReactNode;
  onClear: () => void;
}

/** Picked cells beside each other, and what their difference from the first is worth. */
export function Picked(props: PickedProps): ReactElement {
  const { campaign, metric, asked, picked, picture, onClear } = props;
  const [base = ["", ""], ...others] = picked;
  const contrasts = useContrasts(campaign, asked, base);
  return (
    <Paper p="md">
      <Group justify="space-between" mb="sm">
        <Title order={2}>{picked.length} cells compared</Title>
        <Button variant="subtle" leftSection={<IconX size={14} />} onClick={onClear}>
          Pick none
        </Button>
      </Group>
      {picture}
      <Loaded query={contrasts} height={100}>
        {({ pairs, ...factors }) => {
          const against = pivot(pairs, factors);
          const first = pairs[0]?.a.mean ?? null;
          return (
            <Table.ScrollContainer minWidth={520}>
              <Table mt="sm">
                <Table.Thead>
                  <Table.Tr>
                    <Table.Th>Cell</Table.Th>
                    <Table.Th ta="right">Mean</Table.Th>
                    <Table.Th ta="right">Difference, 95 % interval</Table.Th>
                    <Table.Th ta="right">Share</Table.Th>
                    <Table.Th>Significance</Table.Th>
                  </Table.Tr>
                </Table.Thead>
                <Table.Tbody>
                  <Table.Tr>
                    <Table.Td fw={550}>{cellText(base)}</Table.Td>
                    <Table.Td ta="right">{quantity(first, metric.unit)}</Table.Td>
                    <Table.Td colSpan={3} c="dimmed">
                      the others are compared with it
                    </Table.Td>
                  </Table.Tr>
                  {others.map((name) => {
                    const pair = against.at(...name);
                    return (
                      <Table.Tr key={cellText(name)}>
                        <Table.Td fw={550}>{cellText(name)}</Table.Td>
                        <Table.Td ta="right">{quantity(pair?.b.mean, metric.unit)}</Table.Td>
                        {pair !== undefined && <DifferenceCells metric={metric} pair={pair} />}
                      </Table.Tr>
                    );
                  })}
                </Table.Tbody>
              </Table>
            </Table.ScrollContainer>
          );
        }}
      </Loaded>
      <Text size="xs" c="dimmed" mt={4}>
        Runs of one seed are paired; p is adjusted for all cells of the table.
      </Text>
    </Paper>
  );
}
