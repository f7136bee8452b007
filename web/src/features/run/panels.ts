/** What a run's plots are called and what each is made of; apart from their drawing, as the address
 * of a page names them. */
import { PACKET_KINDS, SEGMENT_KINDS } from "#/shared/curves/packets";
import type { Experiment } from "./experiment";

export const PANELS = [
  "quality",
  "buffer",
  "latency",
  "playback-rate",
  "throughput",
  "rate",
  "cwnd",
  "srtt",
  "queue",
  "delay",
  "rwnd",
  "in-flight",
  "segments",
  "sequence",
] as const;
export type PanelName = (typeof PANELS)[number];

const PANEL_TITLES: Record<PanelName, string> = {
  quality: "Quality",
  buffer: "Buffer",
  latency: "Latency",
  "playback-rate": "Playback rate",
  throughput: "Throughput",
  cwnd: "cwnd, ssthresh",
  srtt: "srtt",
  queue: "Queue, drops",
  delay: "Queueing delay",
  rwnd: "Receive window",
  "in-flight": "In flight",
  rate: "Bottleneck rate",
  segments: "Segments",
  sequence: "Sequence numbers",
};

const SHOWN_FIRST: readonly PanelName[] = [
  "quality",
  "buffer",
  "throughput",
  "cwnd",
  "srtt",
  "queue",
];

const OF_LIVE: readonly PanelName[] = ["latency", "playback-rate"];

/** Those that a run can have: some are of live films alone. */
export function offered({ isLive }: Pick<Experiment, "isLive">): readonly PanelName[] {
  return isLive ? PANELS : PANELS.filter((name) => !OF_LIVE.includes(name));
}

/** Where paths are named, what each of them carried stands beside what the players had of it. */
export function shownFirst(run: Pick<Experiment, "isLive" | "paths">): readonly PanelName[] {
  const also = run.paths.length === 0 ? OF_LIVE : [...OF_LIVE, "rate"];
  return offered(run).filter((name) => SHOWN_FIRST.includes(name) || also.includes(name));
}

export function titleOf(name: PanelName, paths: readonly string[]): string {
  return name === "rate" && paths.length > 0 ? "Throughput by path" : PANEL_TITLES[name];
}

/** Kinds of curves as the API names them. */
export const KINDS: Record<PanelName, readonly string[]> = {
  quality: ["level", "stalls"],
  buffer: ["buffer", "stalls"],
  latency: ["latency", "latency_target", "latency_max", "stalls"],
  "playback-rate": ["playback_rate", "stalls"],
  throughput: ["throughput", "estimate", "acked_rate", "link_rate"],
  cwnd: ["cwnd", "ssthresh"],
  srtt: ["srtt"],
  queue: ["queue", "drops"],
  delay: ["queueing_delay"],
  rwnd: ["rwnd"],
  "in-flight": ["in_flight"],
  rate: ["sent_rate", "link_rate"],
  segments: SEGMENT_KINDS,
  sequence: PACKET_KINDS,
};
