/** Two runs over one time axis, and the words for where they part. */
import type { Panel, Range } from "#/shared/plots/stack/panel";
import { seriesLook } from "#/shared/plots/series";
import { SERIES_COLOURS, seriesColour, type Scheme } from "#/shared/theme/palette";
import { number } from "#/shared/units/format";
import type { Curve, Parting } from "./queries";

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

/** A recorded value with all its digits. */
export function valueOf(value: number | null): string {
  return value === null ? "–" : Number.isInteger(value) ? String(value) : number(value, 9);
}

export function rangeAround(at: number, [start, end]: Range): Range {
  return [Math.max(start, at - BEFORE_S), Math.min(end, at + AFTER_S)];
}

/** A side has its colour, a client its dashes. */
export function panelsOf(a: readonly Curve[], b: readonly Curve[], scheme: Scheme): Panel[] {
  const sides = [
    ["A", a],
    ["B", b],
  ] as const;
  return KINDS.flatMap((kind) => {
    const series = sides.flatMap(([side, curves], index) =>
      curves
        .filter((curve) => curve.kind === kind)
        .map((curve) => ({
          name: `${side}, client ${curve.client ?? "?"}`,
          t: curve.t_s,
          y: curve.values,
          shape: SHAPES[curve.shape],
          colour: seriesColour(scheme, index),
          dash: seriesLook(scheme, ((curve.client ?? 1) - 1) * SERIES_COLOURS[scheme].length).dash,
        })),
    );
    const unit = [...a, ...b].find((curve) => curve.kind === kind)?.unit ?? "";
    return series.length === 0 ? [] : [{ title: TITLES[kind], unit, include: [0], series }];
  });
}
