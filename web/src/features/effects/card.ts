/** A scorecard as a table: a row for each metric, a column for each group of levels. */
import type { Schema } from "#/api/client";
import { levelText } from "#/shared/levels/text";
import { isSignificant } from "#/shared/metrics/difference";
import type { Metric } from "#/shared/metrics/metrics";
import type { Table } from "#/shared/plots/csv";

export type Score = Schema<"Score">;
export type Scorecard = Schema<"Scorecard">;

export interface Card {
  columns: readonly string[];
  rows: readonly { metric: Metric; scores: readonly (Score | undefined)[] }[];
}

/** A group's levels on one line, the compared factor's first. */
export function groupText({ levels }: Pick<Score, "levels">, factor: string): string {
  const others = Object.entries(levels).filter(([path]) => path !== factor);
  return [levels[factor], ...others.map(([, level]) => level)].map(levelText).join(" · ");
}

/** Metrics of which something is significant first; those that never differ are left out. */
export function cardOf({ metrics, scores, factor }: Scorecard): Card {
  const columns = [...new Set(scores.map((score) => groupText(score, factor)))];
  const rows = metrics.flatMap((metric) => {
    const own = scores.filter((score) => score.metric === metric.name);
    if (own.every(({ difference }) => difference === null || difference === 0)) return [];
    const byGroup = new Map(own.map((score) => [groupText(score, factor), score]));
    return [{ metric, scores: columns.map((column) => byGroup.get(column)) }];
  });
  const sure = ({ scores: own }: (typeof rows)[number]): number =>
    own.filter((score) => score !== undefined && isSignificant(score)).length;
  return { columns, rows: rows.sort((a, b) => sure(b) - sure(a)) };
}

/** A row for each metric, a column for each group: the relative differences. */
export function tableOf({ columns, rows }: Card): Table {
  return {
    columns: ["metric", ...columns],
    rows: rows.map(({ metric, scores }) => [
      metric.name,
      ...scores.map((score) => score?.relative ?? null),
    ]),
  };
}

/** A relative difference of so much has the full colour. */
const FULL = 0.5;

/** How strongly a significant difference is coloured, from 0.1 to 0.5, on which text
 * can be read; 0: it is not. */
export function strength(score: Score): number {
  if (!isSignificant(score)) return 0;
  const size = score.relative === null ? FULL : Math.min(FULL, Math.abs(score.relative));
  return 0.1 + 0.4 * (size / FULL);
}
