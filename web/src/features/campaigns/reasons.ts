import type { Run } from "./queries";

export interface Reason {
  state: "failed" | "invalid";
  reason: string;
  runs: number;
}

/** Runs counted by why they failed; numbers in a reason may differ from run to run. */
export function byReason(runs: readonly Pick<Run, "state" | "reason">[]): Reason[] {
  const found = new Map<string, Reason>();
  for (const { state, reason } of runs) {
    if (state !== "failed" && state !== "invalid") continue;
    const key = `${state} ${reason.replace(/\d+(\.\d+)?/g, "#")}`;
    const known = found.get(key);
    if (known === undefined) found.set(key, { state, reason, runs: 1 });
    else known.runs += 1;
  }
  return [...found.values()].sort((a, b) => b.runs - a.runs);
}
