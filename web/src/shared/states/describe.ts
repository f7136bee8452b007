import { STATES } from "#/shared/theme/palette";
import { count } from "#/shared/units/format";
import { shortFactor } from "#/shared/levels/factor";
import { levelText } from "#/shared/levels/text";
import type { Combination, Counts } from "./grid";

/** 12 succeeded, 3 failed */
export function describeCounts(counts: Counts): string {
  return STATES.filter((state) => (counts[state] ?? 0) > 0)
    .map((state) => `${count(counts[state] ?? 0)} ${state}`)
    .join(", ");
}

/** congestion control = cubic: 12 succeeded */
export function describeCell({ levels, counts }: Combination): string {
  const where = Object.entries(levels).map(
    ([factor, level]) => `${shortFactor(factor)} = ${levelText(level)}`,
  );
  return `${where.join(", ")}${where.length > 0 ? ": " : ""}${describeCounts(counts)}`;
}
