/** What a run's plots are called and what each is made of; apart from their drawing, as the address
 * of a page names them. */
import { PACKET_KINDS, SEGMENT_KINDS } from "#/shared/curves/packets";

export const PANELS = [
  "quality",
  "buffer",
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

/** Where paths are named, what each of them carried stands beside what the players had of it. */
export function shownFirst(paths: readonly string[]): readonly PanelName[] {
  return paths.length === 0
    ? SHOWN_FIRST
    : PANELS.filter((name) => name === "rate" || SHOWN_FIRST.includes(name));
}

export function titleOf(name: PanelName, paths: readonly string[]): string {
  return name === "rate" && paths.length > 0 ? "Throughput by path" : PANEL_TITLES[name];
}

/** Kinds of curves as the API names them. */
export const KINDS: Record<PanelName, readonly string[]> = {
  quality: ["level", "stalls"],
  buffer: ["buffer", "stalls"],
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
