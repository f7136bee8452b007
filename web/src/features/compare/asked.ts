/** What curves of two runs are asked of the API by. */
import type { Asked } from "#/shared/copy/formats";
import type { Range } from "#/shared/plots/stack/panel";
import { CLOSE_KINDS, KINDS } from "./parting";

export interface Part {
  kinds: readonly string[];
  points: number;
  from_s?: number;
  to_s?: number;
}

export const CURVES: Part = { kinds: KINDS, points: 2_000 };

/** Of single segments and packets. */
export function closeUp([from, to]: Range): Part {
  return { kinds: CLOSE_KINDS, from_s: from, to_s: to, points: 10_000 };
}

/** The requests of what both recorded: of single segments and packets where a range is given. */
export function askedForBoth(a: number, b: number, range?: Range): Asked {
  return {
    path: "/api/v1/runs/{run}/series",
    call: "show_run_series",
    of: [],
    query: { ...(range === undefined ? CURVES : closeUp(range)) },
    each: { name: "run", values: [a, b] },
  };
}
