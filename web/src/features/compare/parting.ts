/** Two runs over one time axis, and the words for where they part. */
import type { Schema } from "#/api/client";
import { PACKET_KINDS, packets, SEGMENT_KINDS, waterfall } from "#/shared/curves/packets";
import type { Part } from "#/shared/curves/part";
import type { Panel, Range, Series } from "#/shared/plots/stack/panel";
import { dashOf, SYMBOLS } from "#/shared/plots/series";
import { seriesColour, type Scheme } from "#/shared/theme/palette";
import { number } from "#/shared/units/format";

type Curve = Schema<"CurveOut">;
type Parting = Schema<"PartingOut">;

const TITLES = {
  level: "Quality level",
  buffer: "Buffer",
  throughput: "Throughput",
  cwnd: "cwnd",
} as const;

type Kind = keyof typeof TITLES;

/** Kinds of curves as the API names them. */
export const KINDS = Object.keys(TITLES) as readonly Kind[];

const RECORDS: Record<Parting["record"], string> = {
  queue: "a packet at the bottleneck",
  queue_10ms: "10 ms at the bottleneck",
  tcp: "an ACK at the server",
  retransmits: "a retransmission",
  player: "a segment",
};
const SHAPES = { line: "line", step: "step", marks: "dots" } as const;
/** A segment or two, and few enough packets that each of them comes. */
const CLOSE_S = 2;
/** TCP_INFINITE_SSTHRESH of Linux. */
const INFINITE_SSTHRESH = 0x7fffffff;
/** s before and after the moment. */
const BEFORE_S = 5;
const AFTER_S = 10;

export function recordName({ record, client }: Pick<Parting, "record" | "client">): string {
  return client === null ? RECORDS[record] : `${RECORDS[record]} of client ${client}`;
}

/** To the microsecond. */
export function momentText(at: number): string {
  return `${at.toFixed(6)}\u202fs`;
}

/** A recorded value with all its digits; ∞: an ssthresh that nothing has set yet. */
export function valueOf(column: string, value: number | null): string {
  if (column === "ssthresh" && value === INFINITE_SSTHRESH) return "∞";
  return value === null ? "–" : Number.isInteger(value) ? String(value) : number(value, 9);
}

export function rangeAround(at: number, [start, end]: Range): Range {
  return [Math.max(start, at - BEFORE_S), Math.min(end, at + AFTER_S)];
}

/** What is drawn of single segments and packets around the moment. */
export const CLOSE_KINDS = [...SEGMENT_KINDS, ...PACKET_KINDS];

/** What is asked of either run: of all its length. */
export const WHOLE: Part = { kinds: KINDS, points: 2_000 };

/** Of single segments and packets. */
export function closePart([from, to]: Range): Part {
  return { kinds: CLOSE_KINDS, from_s: from, to_s: to, points: 10_000 };
}

/** Segments in a waterfall and packets by their sequence numbers, of both. */
export function closeUp(a: readonly Curve[], b: readonly Curve[], scheme: Scheme): Panel[] {
  const lookFor = (side: Side) => (curve: Curve) => lookOf(side, curve, scheme);
  const both = (series: typeof waterfall): Series[] => [
    ...series(a, lookFor("A")),
    ...series(b, lookFor("B")),
  ];
  return [
    { title: "Segments", unit: "", height: 160, series: both(waterfall) },
    { title: "Sequence numbers", unit: "bytes", height: 220, series: both(packets) },
  ].filter(({ series }) => series.length > 0);
}

/** More of a side no dash or symbol tells apart. */
export const MOST_CLIENTS = SYMBOLS.length;

/** A client's alone, and those of none; null: all. */
export function curvesOf(curves: readonly Curve[], client: number | null): Curve[] {
  return curves.filter(
    (curve) => client === null || curve.client === null || curve.client === client,
  );
}

const SIDES = ["A", "B"] as const;
type Side = (typeof SIDES)[number];

/** A side has its colour, a client its dashes or symbols. */
function lookOf(side: Side, { client, path }: Curve, scheme: Scheme) {
  const index = (client ?? 1) - 1;
  return {
    name: [`${side}, client ${client ?? "?"}`, ...(path === null ? [] : [path])].join(" · "),
    colour: seriesColour(scheme, SIDES.indexOf(side)),
    dash: dashOf(index),
    symbol: SYMBOLS[index % SYMBOLS.length],
  };
}

export function closeTo(at: number, [start, end]: Range): Range {
  return [Math.max(start, at - CLOSE_S), Math.min(end, at + 2 * CLOSE_S)];
}

/** A panel for each kind of which either has curves. */
export function panelsOf(a: readonly Curve[], b: readonly Curve[], scheme: Scheme): Panel[] {
  const sides = [
    ["A", a],
    ["B", b],
  ] as const;
  return KINDS.flatMap((kind) => {
    const series = sides.flatMap(([side, curves]) =>
      curves
        .filter((curve) => curve.kind === kind)
        .map((curve) => ({
          t: curve.t_s,
          y: curve.values,
          shape: SHAPES[curve.shape],
          ...lookOf(side, curve, scheme),
        })),
    );
    const unit = [...a, ...b].find((curve) => curve.kind === kind)?.unit ?? "";
    return series.length === 0 ? [] : [{ title: TITLES[kind], unit, include: [0], series }];
  });
}
