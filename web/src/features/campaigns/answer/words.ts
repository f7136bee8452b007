/** What is said beside an answer. */
import type { Schema } from "#/api/client";
import type { Table } from "#/shared/plots/csv";
import { count } from "#/shared/units/format";

type Told = Schema<"AnswerOut">;

export const LOOKS: Record<Told["verdict"], { word: string; colour: string }> = {
  yes: { word: "yes", colour: "--weir-succeeded" },
  no: { word: "no", colour: "--weir-failed" },
  "no difference": { word: "neither", colour: "--weir-dim" },
  alike: { word: "always alike", colour: "--weir-invalid" },
  "cannot tell": { word: "not told", colour: "--weir-dim" },
};

/** How many more seeds it may take, or that there are no more. */
export function howMany(
  { replicates, distinct, most }: Pick<Told, "replicates" | "distinct" | "most">,
  moving: boolean,
): string {
  const likely =
    replicates === null
      ? "at the shares seen, more seeds would not tell"
      : `at the shares seen, about ${count(Math.max(replicates, distinct + 1))} seeds would tell`;
  if (moving) return `Runs go on until it is told, at most ${count(most)} seeds; ${likely}.`;
  return `It ended before it was told; ${likely}. Clone it with more replicates: runs that have a result are not run again.`;
}

/** An answer's numbers in one row. */
export function tableOf(told: Told): Table {
  const { does_level: does, beat_level: beat, metric, verdict, distinct } = told;
  return {
    columns: ["does", "beat", "metric", "verdict", "difference", "low", "high", "distinct"],
    rows: [[does, beat, metric.name, verdict, told.difference, told.low, told.high, distinct]],
  };
}

/** Where on a scale from 0 to 1 values are; it holds zero and what matters, too. */
export function scaleOf(values: readonly (number | null)[]): (value: number) => number {
  const known = [0, ...values.filter((each) => each !== null)];
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const margin = 0.06 * (high - low || 1);
  return (value) => (value - low + margin) / (high - low + 2 * margin);
}
