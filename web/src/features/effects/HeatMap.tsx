import { Table, Text, Tooltip } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { levelText } from "#/shared/levels/text";
import { inWords, isBetter, isSignificant, share, signed } from "#/shared/metrics/difference";
import { MetricName } from "#/shared/metrics/MetricName";
import type { Metric } from "#/shared/metrics/metrics";
import { useTeam } from "#/shared/session/session";
import { strength, type Card, type Score } from "./card";
import classes from "./effects.module.css";

interface HeatMapProps {
  campaign: string;
  card: Card;
  factor: string;
  /** Factors whose levels are kept apart. */
  by: readonly string[];
}

const COLOURS = {
  true: "var(--weir-succeeded)",
  false: "var(--weir-failed)",
  null: "var(--weir-line)",
} as const;
const SIGNS = { true: "▲ ", false: "▼ ", null: "" } as const;

function Cell(props: {
  campaign: string;
  metric: Metric;
  score: Score;
  factor: string;
  by: readonly string[];
}): ReactElement {
  const { campaign, metric, score, factor, by } = props;
  const team = useTeam();
  const { difference } = score;
  const sure = isSignificant(score);
  const way = difference === null || !sure ? null : isBetter(difference, metric);
  const key = String(way) as keyof typeof COLOURS;
  const text = share(score.relative) || signed(difference, metric.unit);
  const levels = Object.fromEntries(
    by.slice(1).map((path) => [path, levelText(score.levels[path])]),
  );
  const fill = Math.round(100 * strength(score));
  return (
    <Tooltip multiline maw={320} label={`${metric.title}: ${inWords(score, metric)}`}>
      <Link
        to="/teams/$team/campaigns/$campaign/results"
        params={{ team, campaign }}
        search={{
          metric: metric.name,
          columns: factor,
          rows: by[0],
          levels: by.length > 1 ? levels : undefined,
        }}
        className={classes.cell}
        style={{
          background:
            fill === 0 ? undefined : `color-mix(in srgb, ${COLOURS[key]} ${fill}%, transparent)`,
          color: sure ? undefined : "var(--weir-dim)",
        }}
      >
        {sure ? SIGNS[key] : ""}
        {text}
      </Link>
    </Tooltip>
  );
}

/** Every metric of every group against the same at one level; colours where it is no chance. */
export function HeatMap({ campaign, card, factor, by }: HeatMapProps): ReactElement {
  return (
    <Table.ScrollContainer minWidth={130 + 92 * card.columns.length}>
      <Table className={classes.map} verticalSpacing={1} horizontalSpacing={2}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Metric</Table.Th>
            {card.columns.map((column) => (
              <Table.Th key={column} ta="center">
                {column}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {card.rows.map(({ metric, scores }) => (
            <Table.Tr key={metric.name}>
              <Table.Th scope="row">
                <MetricName metric={metric} />
              </Table.Th>
              {scores.map((score, index) => (
                <Table.Td key={card.columns[index]}>
                  {score === undefined ? (
                    <Text c="dimmed" ta="center" size="xs">
                      –
                    </Text>
                  ) : (
                    <Cell
                      campaign={campaign}
                      metric={metric}
                      score={score}
                      factor={factor}
                      by={by}
                    />
                  )}
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
