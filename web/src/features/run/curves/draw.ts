/** From the API's curves to series of a stack of panels. */
import type { Series } from "#/shared/plots/stack/panel";
import { seriesLook, type SeriesLook } from "#/shared/plots/series";
import type { Scheme } from "#/shared/theme/palette";
import type { Curve } from "../queries";

export interface Drawing {
  scheme: Scheme;
  /** Clients whose curves are wanted. */
  shown: ReadonlySet<number>;
  /** When a client leaves, or the end, s. */
  until: (client: number) => number;
}

const SHAPES = { line: "line", step: "step", marks: "dots" } as const;

/** A client looks the same in every panel. */
export function lookOf(client: number | null, scheme: Scheme): SeriesLook {
  return seriesLook(scheme, (client ?? 1) - 1);
}

/** Curves of a kind, of the clients that are shown or of none. */
export function ofKind(curves: readonly Curve[], kind: string, { shown }: Drawing): Curve[] {
  return curves.filter(
    (curve) => curve.kind === kind && (curve.client === null || shown.has(curve.client)),
  );
}

/** client 1, or client 1 · flow 3 where one has several connections. */
export function whose(curve: Curve, among: readonly Curve[]): string {
  if (curve.client === null) return "";
  const several = among.filter(({ client }) => client === curve.client).length > 1;
  const flow = several && curve.flow !== null ? ` · flow ${curve.flow}` : "";
  return `client ${curve.client}${flow}`;
}

/** A series for each curve of a kind, in its client's colour. */
export function drawn(
  curves: readonly Curve[],
  kind: string,
  drawing: Drawing,
  also: Partial<Series> & { called?: string } = {},
): Series[] {
  const { called = "", ...look } = also;
  const among = ofKind(curves, kind, drawing);
  return among.map((curve) => ({
    name: [whose(curve, among), called].filter((part) => part !== "").join(" "),
    t: curve.t_s,
    y: curve.values,
    shape: SHAPES[curve.shape],
    ...lookOf(curve.client, drawing.scheme),
    ...look,
  }));
}

/** The last moment that any of a client's curves has, s. */
export function lastOf(curves: readonly Curve[], client: number): number {
  const own = curves.filter((curve) => curve.client === client);
  return Math.max(0, ...own.map(({ t_s }) => t_s.at(-1) ?? 0));
}

/** Steps of a player hold until it leaves; its record ends with its last request. */
export function held(
  curves: readonly Curve[],
  kind: string,
  drawing: Drawing,
  called = "",
): Series[] {
  const among = ofKind(curves, kind, drawing);
  return drawn(curves, kind, drawing, { called }).map((series, index) => {
    const end = drawing.until(among[index]?.client ?? 0);
    const last = series.y[series.y.length - 1];
    if (last === undefined || (series.t[series.t.length - 1] ?? 0) >= end) return series;
    return {
      ...series,
      t: [...Array.from(series.t), end],
      y: [...Array.from(series.y), last],
    };
  });
}
