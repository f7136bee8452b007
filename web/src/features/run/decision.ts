/** A client's choice of a level, found by where somebody clicked. */
import type { Curve } from "./queries";

export interface Decision {
  client: number;
  /** Of the film, from 0. */
  segment: number;
  level: number;
  /** When it was asked for, s. */
  atS: number;
}

/** The last one before a moment, of each client; the first where there is none before. */
function decisions(curves: readonly Curve[], shown: ReadonlySet<number>, at: number): Decision[] {
  return curves.flatMap(({ kind, client, t_s: times, values }) => {
    if (kind !== "level" || client === null || !shown.has(client)) return [];
    const later = times.findIndex((time) => time > at);
    const index = later < 0 ? times.length - 1 : Math.max(0, later - 1);
    const segments = curves.find((each) => each.kind === "segment" && each.client === client);
    const [segment, level, atS] = [segments?.values[index], values[index], times[index]];
    if (segment == null || level == null || atS === undefined) return [];
    return [{ client, segment, level, atS }];
  });
}

/** The one in force at a moment; of several clients, whose level is nearest to `level`. */
export function decisionAt(
  curves: readonly Curve[],
  shown: ReadonlySet<number>,
  at: number,
  level: number,
): Decision | undefined {
  const distance = (each: Decision): number => Math.abs(each.level - level);
  return decisions(curves, shown, at).sort((one, other) => distance(one) - distance(other))[0];
}
