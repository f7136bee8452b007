/** Curves of many runs as panels of one stack. */
import type { Schema } from "#/api/client";
import type { Panel, Series } from "#/shared/plots/stack/panel";
import { INK, seriesColour, type Scheme } from "#/shared/theme/palette";
import { envelope } from "./envelope";

export type Curve = Schema<"CurveOut">;

const TITLES = {
  buffer: "Buffer",
  latency: "Latency",
  throughput: "Throughput",
  cwnd: "cwnd",
  queue: "Queue",
} as const;

type Kind = keyof typeof TITLES;

/** Kinds of curves as the API names them. */
export const KINDS = Object.keys(TITLES) as readonly Kind[];

const SHAPES = { line: "line", step: "step", marks: "dots" } as const;
const MOMENTS = 600;
/** Runs drawn as one series: few enough that where many lie it is darker. */
const TOGETHER = 8;
const ENVELOPE_DASH = [2, 3];
/** Beside the typical run, which is as bold: told apart without its hue, too. */
const CHOSEN_DASH = [9, 3];

export interface Drawn {
  id: number;
  curves: readonly Curve[];
}

interface Marked {
  /** Nearest to the mean. */
  typical: number | undefined;
  /** Clicked. */
  chosen: number | undefined;
}

/** What a panel is of: a kind of curves, on a path where these are named. */
export interface Subject {
  kind: Kind;
  path: string | null;
}

/** The subjects of which a client has curves in any run. */
function subjectsOf(runs: readonly Drawn[], client: number): Subject[] {
  return KINDS.flatMap((kind) => {
    const own = runs.flatMap(({ curves }) =>
      curves.filter((each) => each.kind === kind && isOf(each, client)),
    );
    return [...new Set(own.map(({ path }) => path))].map((path) => ({ kind, path }));
  });
}

function isOf(curve: Curve, client: number): boolean {
  return curve.client === null || curve.client === client;
}

export function titleOf({ kind, path }: Subject): string {
  return path === null ? TITLES[kind] : `${TITLES[kind]} on ${path}`;
}

/** The subject of a panel, by its title. */
export function subjectOf(
  runs: readonly Drawn[],
  client: number,
  title: string | undefined,
): Subject | undefined {
  return subjectsOf(runs, client).find((each) => titleOf(each) === title);
}

/** A client's curve; of several connections the one with most samples. Queues are no client's. */
export function curveOf(
  { curves }: Drawn,
  { kind, path }: Subject,
  client: number,
): Curve | undefined {
  return curves
    .filter((each) => each.kind === kind && each.path === path && isOf(each, client))
    .reduce<Curve | undefined>(
      (best, each) => (best === undefined || each.samples > best.samples ? each : best),
      undefined,
    );
}

/** Without segments that the run's end cut off. */
function finished(curve: Curve, durationS: number): Curve {
  if (curve.kind !== "throughput") return curve;
  const kept = curve.t_s.flatMap((at, index) => (at < durationS ? [index] : []));
  const of = (from: readonly number[]): number[] => kept.map((index) => from[index] ?? NaN);
  return { ...curve, t_s: of(curve.t_s), values: of(curve.values) };
}

/** All runs faintly, the typical and the clicked one boldly, their median, and the least and the
 * greatest at each moment. */
export function panelsOf(
  runs: readonly Drawn[],
  { typical, chosen }: Marked,
  client: number,
  durationS: number,
  scheme: Scheme,
): Panel[] {
  const ink = INK[scheme];
  const moments = Array.from(
    { length: MOMENTS },
    (_, index) => (durationS * index) / (MOMENTS - 1),
  );
  return subjectsOf(runs, client).flatMap((subject) => {
    const found = runs.flatMap((run) => {
      const curve = curveOf(run, subject, client);
      return curve === undefined || curve.t_s.length === 0
        ? []
        : [{ id: run.id, curve: finished(curve, durationS) }];
    });
    const [first] = found;
    if (first === undefined) return [];
    const middle = envelope(
      found.map(({ curve }) => curve),
      moments,
    );
    const line = { t: middle.t, shape: "line" as const };
    const edge = { ...line, colour: ink.line, dash: ENVELOPE_DASH };
    const single = ({ id, curve }: (typeof found)[number]): Series => ({
      name: `run ${id}`,
      t: curve.t_s,
      y: curve.values,
      shape: SHAPES[curve.shape],
      colour: seriesColour(scheme, 0),
    });
    const faint = found.flatMap((_, index): Series[] => {
      if (index % TOGETHER !== 0) return [];
      return [
        {
          name: "runs",
          t: [],
          y: [],
          parts: found.slice(index, index + TOGETHER).map(single),
          shape: SHAPES[first.curve.shape],
          colour: seriesColour(scheme, 0),
          weight: "faint",
        },
      ];
    });
    const marked = found.flatMap((run): Series[] => {
      if (run.id === chosen)
        return [
          {
            ...single(run),
            colour: seriesColour(scheme, 1),
            dash: CHOSEN_DASH,
            weight: "bold",
          },
        ];
      if (run.id !== typical) return [];
      return [{ ...single(run), name: `run ${run.id}, nearest the mean`, weight: "bold" }];
    });
    const several: Series[] =
      found.length < 3
        ? []
        : [
            { ...line, name: "median", y: middle.median, colour: ink.text, weight: "bold" },
            { ...edge, name: "least", y: middle.least },
            { ...edge, name: "greatest", y: middle.greatest },
          ];
    return [
      {
        title: titleOf(subject),
        unit: first.curve.unit,
        include: [0],
        height: 130,
        series: [...faint, ...marked, ...several],
      },
    ];
  });
}

/** The run whose curve passes nearest to a value at a moment; undefined where there is none. */
export function nearestRun(
  runs: readonly Drawn[],
  subject: Subject,
  client: number,
  moment: number,
  value: number,
): number | undefined {
  let best: { id: number; away: number } | undefined;
  for (const run of runs) {
    const curve = curveOf(run, subject, client);
    if (curve === undefined) continue;
    const { median } = envelope([curve], [moment]);
    const away = Math.abs((median[0] ?? NaN) - value);
    if (away < (best?.away ?? Infinity)) best = { id: run.id, away };
  }
  return best?.id;
}
