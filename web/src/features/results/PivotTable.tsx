import { Paper, Table, Text } from "@mantine/core";
import type { ReactElement } from "react";
import { axes, shortFactor } from "#/shared/levels/factor";
import { ALIKE, areAlike, counted } from "#/shared/metrics/counted";
import { MetricName } from "#/shared/metrics/MetricName";
import type { Metric } from "#/shared/metrics/metrics";
import { quantity } from "#/shared/units/format";
import { ALL, cellText, type Cell, type Factors, type Pivot } from "./pivot";
import classes from "./results.module.css";
import type { CellName } from "./search";

interface PivotTableProps {
  cells: Pivot<Cell>;
  metric: Metric;
  paper: (row: string, column: string) => number | null;
  factors: Factors;
  /** Factors whose levels each group holds together. */
  pooled: readonly string[];
  picked: readonly CellName[];
  onPick: (name: CellName) => void;
}

/** ± half of the interval, and over how many runs. */
export function spread(cell: Cell, unit: string): string {
  const { mean, ci_high: high } = cell;
  const half = mean !== null && high !== null ? `± ${quantity(high - mean, unit)}, ` : "";
  return half + counted(cell);
}

/** Mean, interval and n of every cell, with the paper's number; a click picks a cell. */
export function PivotTable(props: PivotTableProps): ReactElement {
  const { cells, metric, paper, factors, pooled, picked, onPick } = props;
  const chosen = new Set(picked.map(cellText));
  const named = (factor: string | null): string[] => (factor === null ? [] : [factor]);
  const corner = axes(named(factors.rows), named(factors.columns));
  return (
    <Paper p="sm">
      <Text size="xs" c="dimmed" px={6} mb={4}>
        <MetricName metric={metric} />: mean ± half of its 95 % interval. Click a group for its
        runs, several to compare them.
        {pooled.length > 0 &&
          ` Each group pools all levels of ${pooled.map(shortFactor).join(", ")}: its spread is theirs, too.`}
      </Text>
      <Table.ScrollContainer minWidth={120 + 132 * cells.columns.length}>
        <Table className={classes.pivot} verticalSpacing={2}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{corner}</Table.Th>
              {cells.columns.map((column) => (
                <Table.Th key={column}>{column === ALL ? "all runs" : column}</Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {cells.rows.map((row) => (
              <Table.Tr key={row}>
                <Table.Th scope="row">{row === ALL ? "all runs" : row}</Table.Th>
                {cells.columns.map((column) => {
                  const cell = cells.at(row, column);
                  const given = paper(row, column);
                  if (cell === undefined)
                    return (
                      <Table.Td key={column} ta="right" c="dimmed" pr={16}>
                        –
                      </Table.Td>
                    );
                  return (
                    <Table.Td key={column}>
                      <button
                        type="button"
                        className={classes.cell}
                        aria-pressed={chosen.has(cellText([row, column]))}
                        onClick={() => onPick([row, column])}
                      >
                        <span className={classes.mean}>{quantity(cell.mean, metric.unit)}</span>
                        <span className={classes.beside}>{spread(cell, metric.unit)}</span>
                        {given !== null && (
                          <span className={classes.beside}>
                            paper {quantity(given, metric.unit)}
                          </span>
                        )}
                      </button>
                    </Table.Td>
                  );
                })}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {cells.some(areAlike) && (
        <Text size="xs" c="dimmed" px={6} mt={4}>
          {ALIKE}
        </Text>
      )}
    </Paper>
  );
}
