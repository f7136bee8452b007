/** Cells as the server answers with them. */
import type { Cell, CellPath, Client, Link, Traffic } from "#/shared/cell/cell";

const downlink: Link = {
  rate_bps: 8e6,
  lowest_bps: 8e6,
  highest_bps: 8e6,
  steps: 1,
  bdp_packets: 66.7,
  queue: {
    discipline: "sfq",
    per_flow: true,
    drops_early: false,
    limit_packets: 67,
    limit_bdp: 1.005,
    full_s: 0.1,
    options: {},
  },
};

/** The only one of the first example. */
export const onlyPath = {
  name: null,
  rtt_s: 0.1,
  jitter_s: 0.007,
  distribution: "normal",
  delayed: "downlink",
  downlink_loss: 0,
  uplink_loss: 0,
  upstream: null,
  downlink,
  uplink: null,
} satisfies CellPath;

/** What every client of an only path has. */
const ONLY = { transport: "tcp", paths: [] as string[], backup: [] as string[] } as const;

const whole = {
  levels: { "server.congestion_control": "illinois" },
  clock: "virtual",
  duration_s: 120,
  film: {
    bitrates_bps: [248e3, 456e3, 928e3, 1632e3, 4256e3],
    segment_s: 2,
    segments: null,
    variable: false,
    target_latency_s: null,
  },
  server: { http: "nginx", congestion_control: "illinois" },
  paths: [onlyPath],
  shaping: { method: "htbm", headroom: 0.1 },
  clients: [
    {
      player: "aggressive-rate",
      options: {},
      count: 1,
      buffer_s: 30,
      start_s: 0,
      stop_s: null,
      optimal_levels: [4],
      ...ONLY,
    },
    {
      player: "bola",
      options: {},
      count: 1,
      buffer_s: 15,
      start_s: 30,
      stop_s: 90,
      optimal_levels: [3],
      ...ONLY,
    },
  ],
  traffic: [],
  events: [{ at_s: 60, for_s: 1, loss: 0.5, on: "downlink" }],
} satisfies Cell;

const droptail: Link = {
  ...downlink,
  rate_bps: 4e6,
  bdp_packets: 6.7,
  queue: {
    ...downlink.queue,
    discipline: "drop-tail",
    per_flow: false,
    limit_packets: 50,
    limit_bdp: 7.5,
    full_s: 0.15,
  },
};

const bola: Client = {
  player: "bola",
  options: {},
  count: 1,
  buffer_s: 15,
  start_s: 0,
  stop_s: null,
  ...ONLY,
  optimal_levels: [],
};

const wifi: CellPath = {
  ...onlyPath,
  name: "wifi",
  rtt_s: 0.02,
  jitter_s: 0.001,
  downlink: droptail,
};

const lte: CellPath = {
  ...onlyPath,
  name: "lte",
  rtt_s: 0.06,
  jitter_s: 0.002,
  downlink: { ...droptail, rate_bps: 2e6, queue: { ...droptail.queue, full_s: 0.3 } },
  uplink: { ...droptail, rate_bps: 1e6 },
};

const datagrams: Traffic = {
  kind: "udp",
  direction: "uplink",
  path: "lte",
  count: 3,
  rate_bps: 1e6,
  start_s: 0,
  stop_s: 90,
};

/** Wifi and LTE: one client on both, LTE as a backup, and one on LTE alone. */
const twoPaths: Cell = {
  ...whole,
  duration_s: 90,
  server: { http: "nginx", congestion_control: "lia" },
  shaping: { method: "none", headroom: 0.1 },
  paths: [wifi, lte],
  clients: [
    { ...bola, transport: "mptcp", paths: ["wifi", "lte"], backup: ["lte"] },
    { ...bola, player: "festive", start_s: 10, paths: ["lte"] },
  ],
  traffic: [datagrams],
  events: [
    { at_s: 30, for_s: 20, down: "silent", path: "wifi" },
    { at_s: 60, for_s: 5, loss: 0.1, on: "downlink", path: "lte" },
  ],
};

export const cells = {
  whole,
  crowded: {
    ...whole,
    paths: [
      {
        ...onlyPath,
        rtt_s: 0.04,
        jitter_s: 0,
        downlink_loss: 0.001,
        downlink: {
          ...downlink,
          rate_bps: 20e6,
          lowest_bps: 10e6,
          highest_bps: 50e6,
          steps: 2,
          queue: {
            discipline: "fq-codel",
            per_flow: true,
            drops_early: true,
            limit_packets: 500,
            limit_bdp: 7.5,
            full_s: 0.3,
            options: { target_s: 0.005 },
          },
        },
        uplink: { ...downlink, rate_bps: 1e6 },
      },
    ],
    shaping: { method: "rwtm", headroom: 0.1 },
    clients: Array.from({ length: 9 }, (_, index) => ({
      player: ["festive", "dynamic", "./my_abr.py:MyAbr"][index % 3] ?? "",
      options: {},
      count: 1 + (index % 3),
      buffer_s: 30,
      start_s: 5 * index,
      stop_s: null,
      optimal_levels: [],
      ...ONLY,
    })),
  },
  twoPaths,
  /** Rows of several heights, one with a second bottleneck. */
  threePaths: {
    ...twoPaths,
    paths: [
      { ...wifi, upstream: { link: droptail, rtt_s: 0.01 } },
      lte,
      { ...onlyPath, name: "leo", rtt_s: 0.04, downlink_loss: 0.01 },
    ],
    clients: [
      { ...bola, transport: "mptcp", paths: ["wifi", "lte", "leo"] },
      { ...bola, count: 4, transport: "mptcp", paths: ["wifi", "wifi", "leo"], backup: ["leo"] },
      { ...bola, player: "./my_abr.py:MyAbr", paths: ["leo"], stop_s: 60 },
    ],
    traffic: (["tcp", "udp", "request-response", "tcp", "tcp"] as const).map((kind) => ({
      ...datagrams,
      kind,
      path: "leo",
      direction: "downlink" as const,
      rate_bps: kind === "udp" ? 2e6 : null,
    })),
    events: [
      ...twoPaths.events,
      { at_s: 40, for_s: 3, rtt_s: 0.3, path: "leo" },
      { at_s: 44, for_s: 3, down: "carrier", path: "leo" },
      { at_s: 80, for_s: 10, rate_bps: 5e5, on: "downlink", path: "leo" },
    ],
  },
} satisfies Record<string, Cell>;
