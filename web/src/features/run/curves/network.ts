/** Panels of TCP at the server and of the bottleneck's queue. */
import { PACKET_KINDS, packets } from "#/shared/curves/packets";
import type { Panel, Series } from "#/shared/plots/stack/panel";
import { SYMBOLS } from "#/shared/plots/series";
import { INK, seriesColour, type Scheme } from "#/shared/theme/palette";
import { titleOf } from "../panels";
import type { Curve } from "../queries";
import type { Experiment } from "../experiment";
import { drawn, ofKind, pathColour, subflowLook, whose, type Drawing } from "./draw";
import { shades } from "./shades";

export function cwnd(curves: readonly Curve[], drawing: Drawing, run: Experiment): Panel {
  return {
    title: "cwnd, ssthresh",
    unit: "segments",
    include: [0],
    height: 120,
    series: [
      ...drawn(curves, "cwnd", drawing, { called: "cwnd" }),
      ...drawn(curves, "ssthresh", drawing, { called: "ssthresh", isSecond: true }),
    ],
    spans: shades(run, drawing),
  };
}

const ofItsPath = ({ path }: Curve, drawing: Drawing): Pick<Series, "colour"> => ({
  colour: pathColour(path, drawing),
});

/** The queueing delay at each path's bottleneck. */
export function delay(curves: readonly Curve[], drawing: Drawing, run: Experiment): Panel {
  const look = drawing.paths.length === 0 ? undefined : ofItsPath;
  return {
    title: "Queueing delay",
    unit: "s",
    include: [0],
    series: drawn(curves, "queueing_delay", drawing, {}, look),
    spans: shades(run, drawing),
  };
}

/** What the bottleneck was given of each connection: a time-sequence diagram. */
export function sequence(curves: readonly Curve[], drawing: Drawing, run: Experiment): Panel {
  const among = ofKind(curves, "sequence", drawing);
  const shown = PACKET_KINDS.flatMap((kind) => ofKind(curves, kind, drawing));
  return {
    title: "Sequence numbers",
    unit: "bytes",
    height: 220,
    series: packets(shown, (curve) => ({
      name: whose(curve, among),
      ...subflowLook(curve, drawing),
    })),
    spans: shades(run, drawing),
  };
}

/** Curves of one kind by client. */
export function single(
  kind: string,
  title: string,
  unit: string,
): (curves: readonly Curve[], drawing: Drawing, run: Experiment) => Panel {
  return (curves, drawing, run) => ({
    title,
    unit,
    include: [0],
    series: drawn(curves, kind, drawing),
    spans: shades(run, drawing),
  });
}

const PHASES = ["burst", "ack-clocking", "ack-trailing"] as const;
const PHASE_COLOURS = [6, 1, 3] as const;

function phaseLook(phase: string, scheme: Scheme): Pick<Series, "colour" | "symbol"> {
  const index = PHASES.findIndex((each) => each === phase);
  const known = PHASE_COLOURS[index];
  return known === undefined
    ? { colour: INK[scheme].line, symbol: "rect" }
    : { colour: seriesColour(scheme, known), symbol: SYMBOLS[index] };
}

/** Drops of all flows by the phase of sending they fell in, at the packets found in the queue. */
export function dropsByPhase(curves: readonly Curve[], drawing: Drawing): Series[] {
  const found = new Map<string, { t: number; y: number }[]>();
  for (const { t_s: times, values, labels } of ofKind(curves, "drops", drawing))
    times.forEach((t, index) => {
      const phase = labels[index] ?? "";
      const dot = { t, y: values[index] ?? NaN };
      const known = found.get(phase);
      if (known === undefined) found.set(phase, [dot]);
      else known.push(dot);
    });
  return [...PHASES, ""].flatMap((phase) => {
    const dots = found.get(phase)?.sort((a, b) => a.t - b.t);
    if (dots === undefined) return [];
    return [
      {
        name: phase === "" ? "drops without a phase" : `drops: ${phase}`,
        t: dots.map(({ t }) => t),
        y: dots.map(({ y }) => y),
        shape: "dots" as const,
        ...phaseLook(phase, drawing.scheme),
      },
    ];
  });
}

function queueOf(
  path: string | null,
  curves: readonly Curve[],
  drawing: Drawing,
  run: Experiment,
): Panel {
  const here = curves.filter((curve) => curve.path === path);
  return {
    title: path === null ? "Queue" : `Queue of ${path}`,
    unit: "packets",
    include: [0],
    series: [
      ...drawn(here, "queue", drawing, {
        called: "length",
        colour: pathColour(path, drawing),
      }),
      ...dropsByPhase(here, drawing),
    ],
    spans: shades(run, drawing, path),
  };
}

/** A panel for each path: its backlog, and its drops. */
export function queue(curves: readonly Curve[], drawing: Drawing, run: Experiment): Panel[] {
  const paths = drawing.paths.length === 0 ? [null] : drawing.paths;
  return paths.map((path) => queueOf(path, curves, drawing, run));
}

/** What each bottleneck sent, of what it could. */
export function rate(curves: readonly Curve[], drawing: Drawing, run: Experiment): Panel {
  const ink = INK[drawing.scheme].dim;
  const isNamed = drawing.paths.length > 0;
  const look = { called: "link", isSecond: true };
  return {
    title: titleOf("rate", drawing.paths),
    unit: "bit/s",
    include: [0],
    series: [
      ...drawn(curves, "sent_rate", drawing, { called: "sent" }, ofItsPath),
      ...drawn(curves, "link_rate", drawing, isNamed ? look : { ...look, colour: ink }, ofItsPath),
    ],
    spans: shades(run, drawing),
  };
}
