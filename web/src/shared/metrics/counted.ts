/** How many runs a number rests on, and how many of them are not one over again. */

export interface Counted {
  n: number;
  distinct: number;
}

/** Why there is no interval and no p. */
export const ALIKE =
  "All alike: nothing random happened in these runs, so they are one run many times, and say " +
  "nothing of how runs vary. RTT jitter, other traffic or random starts make replicates differ.";

/** Several runs that are one over again. */
export function areAlike({ n, distinct }: Counted): boolean {
  return n > 1 && distinct === 1;
}

/** n = 3; n = 3, all alike; n = 6, 2 distinct. what: "pairs" for 3 pairs. */
export function counted(found: Counted, what?: string): string {
  const { n, distinct } = found;
  const many = what === undefined ? `n = ${n}` : `${n} ${n === 1 ? what.replace(/s$/, "") : what}`;
  if (areAlike(found)) return `${many}, all alike`;
  return distinct < n ? `${many}, ${distinct} distinct` : many;
}
