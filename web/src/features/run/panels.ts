/** What a run's plots are called and what each is made of; apart from their drawing, as the address
 * of a page names them. */
export const PANELS = [
  "quality",
  "buffer",
  "throughput",
  "cwnd",
  "srtt",
  "queue",
  "delay",
  "rwnd",
  "in-flight",
  "rate",
] as const;
export type PanelName = (typeof PANELS)[number];

export const PANEL_TITLES: Record<PanelName, string> = {
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
};

export const SHOWN_FIRST: readonly PanelName[] = [
  "quality",
  "buffer",
  "throughput",
  "cwnd",
  "srtt",
  "queue",
];

/** Kinds of curves as the API names them. */
export const KINDS: Record<PanelName, readonly string[]> = {
  quality: ["level", "stalls"],
  buffer: ["buffer", "stalls"],
  throughput: ["throughput", "estimate", "link_rate"],
  cwnd: ["cwnd", "ssthresh"],
  srtt: ["srtt"],
  queue: ["queue", "drops"],
  delay: ["queueing_delay"],
  rwnd: ["rwnd"],
  "in-flight": ["in_flight"],
  rate: ["sent_rate", "link_rate"],
};
