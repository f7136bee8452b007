/** A search while it narrows and when it has ended, made up. */
import type { Schema } from "#/api/client";

type Told = Schema<"SearchOut">;
type Subject = Told["subjects"][number];
type Verdict = Subject["trials"][number]["verdict"];

const level = (rate: number): Told["low"] => ({ text: `${rate}Mbit/s`, number: rate * 1e6 });

const trials = (verdicts: Record<number, Verdict>): Subject["trials"] =>
  Object.entries(verdicts).map(([rate, verdict]) => ({
    level: level(Number(rate)),
    verdict,
    value: verdict === "open" || verdict === "unknown" ? null : verdict === "passed" ? 0 : 3,
    runs: [],
  }));

const subject = (control: string, state: Subject["state"], more: Partial<Subject>): Subject => ({
  levels: { "sessions.groups.0.count": 12, bounds: control },
  replicate: 0,
  state,
  level: null,
  exceptions: [],
  reason: "",
  fails_at: null,
  passes_at: null,
  trials: [],
  ...more,
});

const told = (subjects: Subject[]): Told =>
  ({
    low: level(0.5),
    high: level(20.5),
    metric: {
      name: "late_streams",
      title: "Streams with a late byte",
      unit: "",
      scope: "run",
      better: "lower",
      formula: "number of them",
      source: "a paper",
    },
    at_most: 0,
    at_least: null,
    subjects,
  }) as unknown as Told;

export const searches = {
  narrowing: told([
    subject("new-reno", "found", {
      level: level(9.2),
      trials: trials({ 0.5: "failed", 7: "failed", 9: "failed", 9.2: "passed", 11: "passed" }),
    }),
    subject("alpha-5-20", "searching", {
      fails_at: level(7),
      passes_at: level(9.2),
      trials: trials({ 0.5: "failed", 7: "failed", 8.1: "open", 9.2: "passed" }),
    }),
    subject("alpha-10-20", "searching", {
      fails_at: level(0.5),
      trials: trials({ 0.5: "failed" }),
    }),
    subject("beta-5-20", "searching", { trials: trials({ 0.5: "open" }) }),
  ]),
  ended: told([
    subject("new-reno", "found", {
      level: level(9.2),
      trials: trials({ 0.5: "failed", 7: "failed", 9: "failed", 9.2: "passed", 11: "passed" }),
    }),
    subject("alpha-5-20", "found", {
      level: level(8),
      exceptions: [level(8.1)],
      trials: trials({ 0.5: "failed", 7: "failed", 8: "passed", 8.1: "failed", 9.2: "passed" }),
    }),
    subject("alpha-10-20", "none", {
      reason:
        "both ends fail, 0.5Mbit/s and 20.5Mbit/s: widen from and to (late_streams is 3 and 3)",
      trials: trials({ 0.5: "failed", 20.5: "failed" }),
    }),
    subject("beta-5-20", "none", {
      reason: "at 7Mbit/s: the run 8a64b3f24c61 is failed: the server's disk is full",
      trials: trials({ 0.5: "failed", 7: "unknown", 9.2: "passed" }),
    }),
  ]),
};
