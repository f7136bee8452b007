import { Group, Switch, Table, Text } from "@mantine/core";
import { useState, type ReactElement } from "react";
import { MetricName } from "#/shared/metrics/MetricName";
import { byName, useChoices } from "#/shared/metrics/metrics";
import { BoardLegend } from "./BoardLegend";
import { change, gridOf, type Board } from "./board";
import classes from "./board.module.css";

interface GridProps {
  board: Board;
  /** A trend. */
  chosen: number | null;
  onChoose: (trend: number) => void;
}

/** Every metric of every combination tonight beside the baseline; a click chooses a trend. */
export function BoardGrid({ board, chosen, onChoose }: GridProps): ReactElement {
  const [all, setAll] = useState(false);
  const metrics = byName(useChoices().data?.metrics ?? []);
  const grid = gridOf(board.points, all);
  return (
    <>
      <Group justify="space-between" mb="xs">
        <Text size="xs" c="dimmed" maw={620}>
          The median change of each metric beside the baseline. Click one for its nights so far.
        </Text>
        <Switch
          size="sm"
          label="all metrics"
          checked={all}
          onChange={(event) => setAll(event.currentTarget.checked)}
        />
      </Group>
      {grid.metrics.length > 0 && <BoardLegend />}
      {grid.metrics.length === 0 ? (
        <Text size="sm">Nothing is shown to have moved by more than what matters.</Text>
      ) : (
        <Table.ScrollContainer minWidth={150 + 80 * grid.metrics.length}>
          <Table className={classes.grid} withRowBorders={false}>
            <Table.Thead>
              <Table.Tr>
                <Table.Td className={classes.corner} />
                {grid.metrics.map((name) => {
                  const metric = metrics.get(name);
                  return (
                    <Table.Th key={name} scope="col">
                      {metric ? <MetricName metric={metric} /> : name}
                    </Table.Th>
                  );
                })}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {grid.rows.map(({ name, points }) => (
                <Table.Tr key={name}>
                  <Table.Th scope="row">{name}</Table.Th>
                  {grid.metrics.map((metric) => {
                    const point = points.get(metric);
                    return (
                      <Table.Td key={metric}>
                        {point && (
                          <button
                            type="button"
                            className={classes.point}
                            data-verdict={point.verdict}
                            title={point.verdict || "not compared"}
                            aria-label={`${metric} at ${name}: ${change(point)}, ${point.verdict || "not compared"}`}
                            aria-pressed={chosen === point.trend}
                            onClick={() => onChoose(point.trend)}
                          >
                            {change(point)}
                          </button>
                        )}
                      </Table.Td>
                    );
                  })}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
    </>
  );
}
