/** Segments as bars from their request to their last byte (a waterfall), and packets by their sequence
 * numbers over time. */
import type { Schema } from "#/api/client";
import { SYMBOLS } from "#/shared/plots/series";
import type { Samples, Series } from "#/shared/plots/stack/panel";

type Curve = Schema<"CurveOut">;
type Look = Pick<Series, "name" | "colour"> & Partial<Series>;

/** Kinds of curves as the API names them. */
export const SEGMENT_KINDS = ["segment", "arrived"] as const;
export const PACKET_KINDS = ["sequence", "sequence_again", "sequence_drops"] as const;

/** Each segment from its request to its end; what is on its way is left out. One that was asked for
 * several times has a bar for each. */
function barsOf(asked: Curve, arrived: Curve): Samples[] {
  const ends = new Map<number, number[]>();
  arrived.values.forEach((segment, index) => {
    const at = arrived.t_s[index] ?? NaN;
    const known = ends.get(segment);
    if (known === undefined) ends.set(segment, [at]);
    else known.push(at);
  });
  return asked.values.flatMap((segment, index) => {
    const from = asked.t_s[index] ?? NaN;
    const to = ends.get(segment)?.find((end) => end >= from);
    return to === undefined ? [] : [{ name: "", t: [from, to], y: [segment, segment] }];
  });
}

export function waterfall(curves: readonly Curve[], lookFor: (curve: Curve) => Look): Series[] {
  return curves.flatMap((asked) => {
    if (asked.kind !== "segment") return [];
    const arrived = curves.find(
      ({ kind, client }) => kind === "arrived" && client === asked.client,
    );
    if (arrived === undefined) return [];
    const parts = barsOf(asked, arrived);
    return [
      { t: asked.t_s, y: asked.values, parts, shape: "line", weight: "bold", ...lookFor(asked) },
    ];
  });
}

const MARKS = {
  sequence_again: { called: "sent again", symbol: SYMBOLS[1] },
  sequence_drops: { called: "dropped", symbol: SYMBOLS[2] },
} as const;

export function packets(curves: readonly Curve[], lookFor: (curve: Curve) => Look): Series[] {
  return curves.flatMap((curve): Series[] => {
    const { kind, t_s: t, values: y } = curve;
    const look = lookFor(curve);
    if (kind === "sequence") return [{ t, y, shape: "line", ...look }];
    if (kind !== "sequence_again" && kind !== "sequence_drops") return [];
    const { called, symbol } = MARKS[kind];
    return [{ t, y, shape: "dots", ...look, symbol, name: `${look.name} ${called}` }];
  });
}
