/** From the API's curves to series of a stack of panels. */
import type { Series } from "#/shared/plots/stack/panel";
import { dashBeside, dashOf, roundOf, seriesLook, type SeriesLook } from "#/shared/plots/series";
import { seriesColour, type Scheme } from "#/shared/theme/palette";
import type { Curve } from "../queries";

export interface Drawing {
  scheme: Scheme;
  /** Clients whose curves are wanted. */
  shown: ReadonlySet<number>;
  /** Names of the paths, in order; none where they are not named. */
  paths: readonly string[];
  /** When a client leaves, or the end, s. */
  until: (client: number) => number;
}

type Look = Pick<Series, "colour"> & Partial<Series>;

const SHAPES = { line: "line", step: "step", marks: "dots" } as const;

/** A client looks the same in every panel. */
export function lookOf(client: number | null, scheme: Scheme): SeriesLook {
  const index = (client ?? 1) - 1;
  // A dash that leaves others for second lines.
  return { ...seriesLook(scheme, index), dash: dashOf(roundOf(scheme, index)) };
}

/** The first one's is that of an only bottleneck; apart from those of drops. */
const PATH_COLOURS = [2, 4, 5, 7, 0, 1, 3, 6] as const;

/** A path has the same colour in every panel. */
export function pathColour(path: string | null, { scheme, paths }: Drawing): string {
  const index = path === null ? 0 : Math.max(0, paths.indexOf(path));
  return seriesColour(scheme, PATH_COLOURS[index % PATH_COLOURS.length] ?? 0);
}

/** Of one client, subflows have their paths' colours; of several, their clients', and a dash for
 * each path. */
export function subflowLook({ client, path }: Curve, drawing: Drawing): SeriesLook {
  const { scheme, shown, paths } = drawing;
  const look = lookOf(client, scheme);
  if (path === null) return look;
  if (shown.size === 1) return { ...look, colour: pathColour(path, drawing), dash: undefined };
  const round = roundOf(scheme, (client ?? 1) - 1);
  return { ...look, dash: dashOf(round * paths.length + paths.indexOf(path)) };
}

/** Curves of a kind, of the clients that are shown or of none. */
export function ofKind(curves: readonly Curve[], kind: string, { shown }: Drawing): Curve[] {
  return curves.filter(
    (curve) => curve.kind === kind && (curve.client === null || shown.has(curve.client)),
  );
}

/** client 1 · wifi, or client 1 · wifi · flow 3 where it has several connections there. */
export function whose(curve: Curve, among: readonly Curve[]): string {
  const path = curve.path === null ? [] : [curve.path];
  if (curve.client === null) return path.join("");
  const several =
    among.filter(({ client, path: on }) => client === curve.client && on === curve.path).length > 1;
  const flow = several && curve.flow !== null ? [`flow ${curve.flow}`] : [];
  return [`client ${curve.client}`, ...path, ...flow].join(" · ");
}

interface Also extends Partial<Series> {
  called?: string;
  /** Another curve of the same panel has its look. */
  isSecond?: boolean;
}

/** A series for each curve of a kind, in its client's colour. */
export function drawn(
  curves: readonly Curve[],
  kind: string,
  drawing: Drawing,
  also: Also = {},
  lookFor: (curve: Curve, drawing: Drawing) => Look = subflowLook,
): Series[] {
  const { called = "", isSecond = false, ...more } = also;
  const among = ofKind(curves, kind, drawing);
  return among.map((curve) => {
    const look = lookFor(curve, drawing);
    return {
      name: [whose(curve, among), called].filter((part) => part !== "").join(" "),
      t: curve.t_s,
      y: curve.values,
      shape: SHAPES[curve.shape],
      ...look,
      ...(isSecond ? { dash: dashBeside(look.dash) } : {}),
      ...more,
    };
  });
}

/** The last moment that any of a client's curves has, s. */
export function lastOf(curves: readonly Curve[], client: number): number {
  const own = curves.filter((curve) => curve.client === client);
  return Math.max(0, ...own.map(({ t_s }) => t_s.at(-1) ?? 0));
}

/** The last moment of which anything is recorded, s: what a link was asked to carry is known before. */
export function recordedUntil(curves: readonly Curve[]): number {
  const recorded = curves.filter(({ kind }) => kind !== "link_rate");
  return Math.max(0, ...recorded.map(({ t_s }) => t_s.at(-1) ?? 0));
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
