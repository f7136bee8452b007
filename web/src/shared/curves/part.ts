/** What a run recorded over time, as the API is asked for it. */
import type { Asked } from "#/shared/copy/formats";

/** Which curves, in so many points, from and to when, s; even: at moments that runs share. */
export interface Part {
  kinds: readonly string[];
  points: number;
  from_s?: number;
  to_s?: number;
  even?: boolean;
}

/** The parameters of its request. */
export function queryOf({ kinds, ...rest }: Part) {
  return { ...rest, kinds: kinds.join(",") };
}

/** The requests of a part of several runs, as text can have them. */
export function askedOf(runs: readonly number[], part: Part): Asked {
  return {
    path: "/api/v1/runs/{run}/series",
    call: "show_run_series",
    of: [],
    query: { ...part },
    each: { name: "run", values: runs },
  };
}
