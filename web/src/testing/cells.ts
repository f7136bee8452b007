/** Cells as the server answers with them. */
import type { Cell, Link } from "#/shared/cell/cell";

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

const whole = {
  levels: { "server.congestion_control": "illinois" },
  clock: "virtual",
  duration_s: 120,
  film: {
    bitrates_bps: [248e3, 456e3, 928e3, 1632e3, 4256e3],
    segment_s: 2,
    segments: null,
    variable: false,
  },
  server: { http: "nginx", congestion_control: "illinois" },
  path: {
    rtt_s: 0.1,
    jitter_s: 0.007,
    distribution: "normal",
    delayed: "downlink",
    downlink_loss: 0,
    uplink_loss: 0,
  },
  upstream: null,
  downlink,
  uplink: null,
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
    },
    {
      player: "bola",
      options: {},
      count: 1,
      buffer_s: 15,
      start_s: 30,
      stop_s: 90,
      optimal_levels: [3],
    },
  ],
  events: [{ at_s: 60, for_s: 1, loss: 0.5, on: "downlink" }],
} satisfies Cell;

export const cells = {
  whole,
  crowded: {
    ...whole,
    path: { ...whole.path, rtt_s: 0.04, jitter_s: 0, downlink_loss: 0.001 },
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
    shaping: { method: "rwtm", headroom: 0.1 },
    clients: Array.from({ length: 9 }, (_, index) => ({
      player: ["festive", "dynamic", "./my_abr.py:MyAbr"][index % 3] ?? "",
      options: {},
      count: 1 + (index % 3),
      buffer_s: 30,
      start_s: 5 * index,
      stop_s: null,
      optimal_levels: [],
    })),
  },
} satisfies Record<string, Cell>;
