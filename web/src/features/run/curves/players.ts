/** Panels of what the players did. */
import { waterfall } from "#/shared/curves/packets";
import type { Panel, Span } from "#/shared/plots/stack/panel";
import { DASH_OF_NONE, SECOND_DASH_OF_NONE } from "#/shared/plots/series";
import { INK } from "#/shared/theme/palette";
import { duration } from "#/shared/units/format";
import { levelNames, type Experiment } from "../experiment";
import { fairShare } from "../fairShare";
import type { Curve } from "../queries";
import { drawn, held, lookOf, ofKind, whose, type Drawing } from "./draw";

/** In their client's colour. A stall is recorded with the segment that ended it. */
function stalls(curves: readonly Curve[], drawing: Drawing): Span[] {
  return ofKind(curves, "stalls", drawing).flatMap(({ client, t_s: ends, values }) => {
    const name = `client ${client ?? "?"} stalls`;
    const { colour } = lookOf(client, drawing.scheme);
    return ends.map((to, index) => ({
      from: to - (values[index] ?? 0),
      to,
      name,
      label: `${name} for ${duration(values[index])}`,
      colour,
    }));
  });
}

export function quality(curves: readonly Curve[], drawing: Drawing, run: Experiment): Panel {
  return {
    title: "Quality",
    unit: "",
    names: levelNames(run),
    include: [0, run.bitratesBps.length - 1],
    series: held(curves, "level", drawing),
    spans: stalls(curves, drawing),
  };
}

export function buffer(curves: readonly Curve[], drawing: Drawing): Panel {
  return {
    title: "Buffer",
    unit: "s",
    include: [0],
    series: drawn(curves, "buffer", drawing),
    spans: stalls(curves, drawing),
  };
}

/** Of a live film: how long after its making it is seen, and what players are told of that. */
export function latency(curves: readonly Curve[], drawing: Drawing): Panel {
  const told = { colour: INK[drawing.scheme].dim };
  return {
    title: "Latency",
    unit: "s",
    include: [0],
    height: 120,
    series: [
      ...drawn(curves, "latency", drawing),
      ...drawn(curves, "latency_target", drawing, {
        ...told,
        called: "target",
        dash: DASH_OF_NONE,
      }),
      ...drawn(curves, "latency_max", drawing, {
        ...told,
        called: "max",
        dash: SECOND_DASH_OF_NONE,
      }),
    ],
    spans: stalls(curves, drawing),
  };
}

/** As the player sets it, which stalls do not change. */
export function playbackRate(curves: readonly Curve[], drawing: Drawing): Panel {
  return {
    title: "Playback rate",
    unit: "",
    include: [1],
    series: held(curves, "playback_rate", drawing),
    spans: stalls(curves, drawing),
  };
}

/** Each segment from its request to its last byte: a waterfall. */
export function segments(curves: readonly Curve[], drawing: Drawing): Panel {
  const shown = [...ofKind(curves, "segment", drawing), ...ofKind(curves, "arrived", drawing)];
  const series = waterfall(shown, (curve) => ({
    name: whose(curve, ofKind(curves, "segment", drawing)),
    ...lookOf(curve.client, drawing.scheme),
  }));
  return { title: "Segments", unit: "", height: 160, series, spans: stalls(curves, drawing) };
}

/** Without segments that the run's end cut off: their throughput is told as 0. */
function finished(curves: readonly Curve[]): Curve[] {
  return curves.map((curve) => {
    if (curve.kind !== "throughput") return curve;
    const kept = curve.t_s.flatMap((_, index) => ((curve.values[index] ?? 0) > 0 ? [index] : []));
    const of = (from: readonly number[]): number[] => kept.map((index) => from[index] ?? NaN);
    return { ...curve, t_s: of(curve.t_s), values: of(curve.values) };
  });
}

/** Of each segment, as the player smooths it, what the server was told to have arrived (of runs that
 * recorded by the second), and what would be fair. */
export function throughput(curves: readonly Curve[], drawing: Drawing, run: Experiment): Panel {
  const [link, another] = ofKind(curves, "link_rate", drawing);
  // Of several links nobody's share is told by their rates alone.
  const fair =
    link === undefined || another !== undefined
      ? []
      : [
          {
            name: "fair share",
            ...fairShare({ t: link.t_s, y: link.values }, run.clients, run.durationS),
            shape: "step" as const,
            colour: INK[drawing.scheme].dim,
            dash: DASH_OF_NONE,
          },
        ];
  return {
    title: "Throughput",
    unit: "bit/s",
    include: [0],
    height: 120,
    series: [
      ...drawn(finished(curves), "throughput", drawing, { called: "raw", shape: "dots" }),
      ...held(curves, "estimate", drawing, "smoothed"),
      ...drawn(curves, "acked_rate", drawing, { called: "acknowledged", isSecond: true }),
      ...fair,
    ],
  };
}
