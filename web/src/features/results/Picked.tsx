import { Button, Group, Paper, Text, Title } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { ReactElement, ReactNode } from "react";
import type { Campaign } from "#/shared/campaign/moving";
import { differenceColumns } from "#/shared/metrics/differenceColumns";
import type { Metric } from "#/shared/metrics/metrics";
import { DataTable, type Column } from "#/shared/ui/DataTable";
import { Loaded } from "#/shared/ui/Loaded";
import { quantity } from "#/shared/units/format";
import { cellText, pivot } from "./pivot";
import { useContrasts } from "./queries";
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

/** Picked groups beside each other, and what their difference from the first is worth. */
export function Picked(props: PickedProps): ReactElement {
  const { campaign, metric, asked, picked, picture, onClear } = props;
  const [base = ["", ""]] = picked;
  const contrasts = useContrasts(campaign, asked, base);
  return (
    <Paper p="md">
      <Group justify="space-between" mb="sm">
        <Title order={2}>{picked.length} groups compared</Title>
        <Button variant="subtle" leftSection={<IconX size={14} />} onClick={onClear}>
          Pick none
        </Button>
      </Group>
      {picture}
      <Loaded query={contrasts} height={100}>
        {({ pairs, ...factors }) => {
          const against = pivot(pairs, factors);
          const first = pairs[0]?.a.mean ?? null;
          const columns: Column<CellName>[] = [
            { name: "Group", cell: (name) => <Text size="sm">{cellText(name)}</Text> },
            {
              name: "Mean",
              align: "right",
              cell: (name) =>
                quantity(name === base ? first : against.at(...name)?.b.mean, metric.unit),
            },
            ...differenceColumns<CellName>({
              metric,
              name: "Difference",
              base: "the first",
              of: (name) => (name === base ? null : (against.at(...name) ?? null)),
            }),
          ];
          return <DataTable columns={columns} rows={picked} keyOf={cellText} minWidth={520} />;
        }}
      </Loaded>
      <Text size="xs" c="dimmed" mt={4}>
        The others are compared with the first. Runs of one seed are paired; p is adjusted for all
        groups of the table.
      </Text>
    </Paper>
  );
}
