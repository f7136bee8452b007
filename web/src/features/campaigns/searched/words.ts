/** What is said and drawn of a search. */
import type { Schema } from "#/api/client";
import { levelText } from "#/shared/levels/text";
import { shortFactor } from "#/shared/levels/factor";
import type { Table } from "#/shared/plots/csv";
import { quantity } from "#/shared/units/format";

export type Told = Schema<"SearchOut">;
export type Subject = Told["subjects"][number];
export type Trial = Subject["trials"][number];

export const VERDICTS: Record<Trial["verdict"], string> = {
  passed: "passes",
  failed: "fails",
  open: "being tried",
  unknown: "cannot be told",
};

/** What the dots of a search say. */
export function verdictsOf({ subjects }: Pick<Told, "subjects">): Trial["verdict"][] {
  const shown = new Set(subjects.flatMap(({ trials }) => trials.map(({ verdict }) => verdict)));
  return (["passed", "failed", "open", "unknown"] as const).filter((each) => shown.has(each));
}

/** Whose search it is: `congestion control reno, replicate 2`. */
export function nameOf({ levels, replicate }: Subject): string {
  const parts = Object.entries(levels).map(
    ([factor, level]) => `${shortFactor(factor)} ${levelText(level)}`,
  );
  if (replicate !== null) parts.push(`replicate ${replicate + 1}`);
  return parts.join(", ") || "all runs";
}

/** The level found, between which two it is looked for, or why there is none. */
export function foundOf(subject: Subject): string {
  const { level, exceptions, reason, fails_at: fails, passes_at: passes } = subject;
  if (level !== null)
    return exceptions.length === 0
      ? level.text
      : `${level.text}; beyond it ${exceptions.map(({ text }) => text).join(", ")} ` +
          (exceptions.length === 1 ? "fails" : "fail");
  if (subject.state === "none") return `none; ${reason}`;
  if (fails !== null && passes !== null) return `between ${fails.text} and ${passes.text}`;
  // As long as a search waits for its neighbour's level, one end is all that is tried.
  const end = fails ?? passes;
  return end === null ? "ends are being tried" : `beyond ${end.text}`;
}

/** A level in words, for its dot. */
export function trialText({ level, verdict, value }: Trial, metric: Told["metric"]): string {
  const known = value === null ? "" : `: ${metric.title} ${quantity(value, metric.unit)}`;
  return `${level.text} ${VERDICTS[verdict]}${known}`;
}

/** When a level passes: `Stalls at most 0`. */
export function ruleOf({ metric, at_most: most, at_least: least }: Told): string {
  const bounds = [
    least === null ? null : `at least ${quantity(least, metric.unit)}`,
    most === null ? null : `at most ${quantity(most, metric.unit)}`,
  ];
  return bounds.filter((each) => each !== null).join(" and ");
}

/** Where levels are on the axis, from 0 to 1. */
export function placeOf({ low, high }: Pick<Told, "low" | "high">): (number: number) => number {
  return (number) => (number - low.number) / (high.number - low.number);
}

/** A row for each subject and level that was tried. */
export function tableOf(told: Told): Table {
  const factors = [...new Set(told.subjects.flatMap(({ levels }) => Object.keys(levels)))];
  return {
    columns: [...factors, "replicate", "found", "tried", "verdict", told.metric.name],
    rows: told.subjects.flatMap((subject) =>
      subject.trials.map(({ level, verdict, value }) => [
        ...factors.map((factor) => levelText(subject.levels[factor])),
        subject.replicate,
        subject.level?.text ?? null,
        level.text,
        verdict,
        value,
      ]),
    ),
  };
}
