/** A run of more clients than there are colours. */
import type { Schema } from "#/api/client";
import type { Drawing } from "#/features/run/curves/draw";
import { cwnd, queue } from "#/features/run/curves/network";
import { throughput } from "#/features/run/curves/players";
import { readExperiment } from "#/features/run/experiment";
import type { Panel } from "#/shared/plots/stack/panel";
import type { Scheme } from "#/shared/theme/palette";

const CLIENTS = Array.from({ length: 10 }, (_, index) => index + 1);
const LENGTH_S = 60;
const experiment = readExperiment(
  { duration_s: LENGTH_S, clients: CLIENTS.map(() => ({ player: "bola" })) },
  [],
);

function curve(
  kind: string,
  client: number | null,
  shape: "line" | "step" | "marks",
  of: (at: number) => number,
): Schema<"CurveOut"> {
  const t_s = Array.from({ length: LENGTH_S }, (_, second) => second);
  const named = { kind, client, shape, unit: "", flow: null, path: null, labels: [] };
  return { ...named, t_s, values: t_s.map(of), samples: LENGTH_S };
}

const PHASES = ["burst", "ack-clocking", "ack-trailing", ""];
const curves = [
  ...CLIENTS.flatMap((client) => [
    curve("cwnd", client, "line", (at) => 4 * client + ((at + client) % 9)),
    curve("ssthresh", client, "step", () => 4 * client + 1),
    curve("throughput", client, "marks", (at) => 1e5 * (client + ((at * client) % 5) / 3)),
    curve("estimate", client, "step", () => 1e5 * (client + 0.6)),
  ]),
  curve("queue", null, "step", (at) => (7 * at) % 60),
  {
    ...curve("drops", null, "marks", () => 55),
    labels: Array.from({ length: LENGTH_S }, (_, at) => PHASES[at % 4] ?? ""),
  },
];

/** clients: who of the ten is shown. */
export function manyPanels(scheme: Scheme, clients: readonly number[]): Panel[] {
  const drawing: Drawing = { scheme, shown: new Set(clients), paths: [], until: () => LENGTH_S };
  return [
    cwnd(curves, drawing, experiment),
    throughput(curves, drawing, experiment),
    ...queue(curves, drawing, experiment),
  ];
}
