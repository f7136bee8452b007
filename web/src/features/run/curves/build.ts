import type { Panel } from "#/shared/plots/stack/panel";
import type { Experiment } from "../experiment";
import type { PanelName } from "../panels";
import type { Curve } from "../queries";
import type { Drawing } from "./draw";
import { cwnd, delay, queue, rate, sequence, single } from "./network";
import { buffer, latency, playbackRate, quality, segments, throughput } from "./players";

type Build = (curves: readonly Curve[], drawing: Drawing, run: Experiment) => Panel | Panel[];

const BUILDS: Record<PanelName, Build> = {
  quality,
  buffer,
  latency,
  "playback-rate": playbackRate,
  throughput,
  cwnd,
  queue,
  rate,
  segments,
  sequence,
  srtt: single("srtt", "srtt", "s"),
  delay,
  rwnd: single("rwnd", "Receive window", "bytes"),
  "in-flight": single("in_flight", "In flight", "segments"),
};

/** The panels asked for that have anything recorded. */
export function build(
  names: readonly PanelName[],
  curves: readonly Curve[],
  drawing: Drawing,
  run: Experiment,
): Panel[] {
  return names
    .flatMap((name) => BUILDS[name](curves, drawing, run))
    .filter(({ series }) => series.some(({ t }) => t.length > 0));
}

/** A part's curves in place of those of the whole that they say more of. */
export function refined(whole: readonly Curve[], part: readonly Curve[]): Curve[] {
  const key = ({ kind, client, flow, path }: Curve): string =>
    `${kind} ${client ?? ""} ${flow ?? ""} ${path ?? ""}`;
  const better = new Map(part.map((curve) => [key(curve), curve]));
  return whole.map((curve) => better.get(key(curve)) ?? curve);
}

/** Kinds of which fewer points came than were recorded. */
export function thinned(curves: readonly Curve[]): string[] {
  return [
    ...new Set(
      curves.filter(({ t_s: times, samples }) => times.length < samples).map(({ kind }) => kind),
    ),
  ];
}
