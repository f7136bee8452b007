/** What a scorecard says of a picture's bars. */
import type { Schema } from "#/api/client";
import { levelText } from "#/shared/levels/text";
import { inWords, isBetter, isSignificant } from "#/shared/metrics/difference";
import type { Metric } from "#/shared/metrics/metrics";
import type { Contrast } from "#/shared/plots/contrasts";
import { cellText, nameOf, type Cell, type Factors, type Pivot } from "./pivot";
import type { CellName } from "./search";

type Scorecard = Pick<Schema<"Scorecard">, "scores" | "factor" | "level">;

/** The factor whose levels are compared: that across, or the one down where there is no other. */
export function comparedBy({ rows, columns }: Factors): string | null {
  return columns ?? rows;
}

/** The bars that differ beyond chance from the one at the card's level. */
export function contrastsOf(
  card: Scorecard,
  factors: Factors,
  { rows, columns }: Pivot<Cell>,
  metric: Metric,
): Contrast[] {
  const at = ([row, column]: CellName) => [rows.indexOf(row), columns.indexOf(column)] as const;
  return card.scores.flatMap((score) => {
    const { difference } = score;
    if (difference === null || !isSignificant(score)) return [];
    const name = nameOf(score, factors);
    const base = nameOf({ levels: { ...score.levels, [card.factor]: card.level } }, factors);
    const [from, to] = [at(base), at(name)];
    if ([...from, ...to].includes(-1)) return [];
    return [
      {
        from,
        to,
        isBetter: isBetter(difference, metric),
        text: `${cellText(name)} against ${levelText(card.level)}: ${inWords(score, metric)}`,
      },
    ];
  });
}
