import type { Schema } from "#/api/client";

export type Campaign = Schema<"CampaignOut">;

/** Whether its runs go on without anybody doing anything. */
export function isMoving({ state }: Pick<Campaign, "state">): boolean {
  return state === "expanding" || state === "active";
}

/** Whether it can still be paused or cancelled. */
export function isOpen({ state }: Pick<Campaign, "state">): boolean {
  return state === "expanding" || state === "active" || state === "paused";
}

/** Runs that were carried out, whatever came of them; cancelled ones were not. */
export function carriedOut(counts: Readonly<Record<string, number>>): number {
  return ["succeeded", "failed", "invalid"].reduce((sum, state) => sum + (counts[state] ?? 0), 0);
}
