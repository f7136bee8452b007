/** Curves to test with, and a run of two clients that they are drawn of. */
import { readExperiment } from "../experiment";
import type { Curve } from "../queries";
import type { Drawing } from "./draw";

/** A curve as the API tells it; what is left out is empty. */
export const curve = (kind: string, more: Partial<Curve>): Curve => ({
  kind,
  unit: "",
  shape: "line",
  client: null,
  flow: null,
  path: null,
  t_s: [],
  values: [],
  labels: [],
  samples: more.t_s?.length ?? 0,
  ...more,
});

export const experiment = readExperiment(
  {
    duration_s: 100,
    content: { bitrates_bps: [248000, 456000] },
    clients: [
      { player: "bola", start_s: 0, stop_s: null },
      { player: "festive", start_s: 20, stop_s: 60 },
    ],
  },
  [{ at_s: 50, for_s: 1, on: "downlink", loss: 0.5 }],
);

export const drawing: Drawing = {
  scheme: "light",
  shown: new Set([1, 2]),
  paths: [],
  until: (client) => experiment.clients[client - 1]?.stopS ?? 100,
};
