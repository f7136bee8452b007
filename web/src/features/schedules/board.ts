/** A night's verdicts as a grid: combinations down, metrics across. */
import type { Schema } from "#/api/client";
import { shortFactor } from "#/shared/levels/factor";
import { levelText } from "#/shared/levels/text";
import { number } from "#/shared/units/format";

export type Board = Schema<"Board">;
export type Point = Schema<"BoardPoint">;

export interface Grid {
  rows: readonly { name: string; points: ReadonlyMap<string, Point> }[];
  metrics: readonly string[];
}

const UNMOVED: ReadonlySet<Point["verdict"]> = new Set(["", "same", "no matter"]);
const SHOWN: readonly Point["verdict"][] = ["worse", "better", "higher", "lower"];
const URGENCY: readonly Point["verdict"][] = [...SHOWN, "cannot tell"];

/** Whether it says that something changed by more than what matters. */
export function shown(verdict: Point["verdict"]): boolean {
  return SHOWN.includes(verdict);
}

/** Less than this is shown as 0. */
const SHOWN_PERCENT = 0.05;

/** "shaping method rwtm, congestion control cubic". */
export function levelWords(levels: Readonly<Record<string, unknown>>): string {
  const words = Object.entries(levels).map(
    ([factor, level]) => `${shortFactor(factor)} ${levelText(level)}`,
  );
  return words.join(", ") || "the one combination";
}

/** all: also metrics of which nothing is to be said. The most urgent come first. */
export function gridOf(points: readonly Point[], all: boolean): Grid {
  const rows = new Map<string, Map<string, Point>>();
  const urgency = new Map<string, number>();
  for (const point of points) {
    const name = levelWords(point.levels);
    const row = rows.get(name) ?? new Map<string, Point>();
    rows.set(name, row.set(point.metric, point));
    if (!all && UNMOVED.has(point.verdict)) continue;
    const at = URGENCY.indexOf(point.verdict);
    const own = at < 0 ? URGENCY.length : at;
    urgency.set(point.metric, Math.min(own, urgency.get(point.metric) ?? own));
  }
  const metrics = [...urgency].sort(([, a], [, b]) => a - b).map(([metric]) => metric);
  return { rows: [...rows].map(([name, own]) => ({ name, points: own })), metrics };
}

/** What stands in a field: the change against the baseline, else the verdict. */
export function change({ verdict, before, difference }: Point): string {
  if (verdict === "same") return "=";
  if (difference === null || before === null) return "–";
  if (before === 0) return difference === 0 ? "0" : `${difference > 0 ? "+" : "−"}∞`;
  const exact = (100 * difference) / Math.abs(before);
  const percent = Math.abs(exact) < SHOWN_PERCENT ? 0 : exact;
  return `${percent > 0 ? "+" : percent < 0 ? "−" : ""}${number(Math.abs(percent), 2)} %`;
}
