/** The parts of a resolved experiment that plots need; its types are open in the API. */
import { quantity } from "#/shared/units/format";

export interface Client {
  player: string;
  startS: number;
  /** null: to the end. */
  stopS: number | null;
  /** The user's own code that it ran. */
  source: { name: string; text: string } | null;
}

export interface Experiment {
  durationS: number;
  bitratesBps: readonly number[];
  clients: readonly Client[];
  lossEvents: readonly { atS: number; loss: number }[];
  headroom: number;
}

type Loose = Record<string, unknown>;

const record = (value: unknown): Loose =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Loose) : {};
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const numeric = (value: unknown): number | null => (typeof value === "number" ? value : null);

function sourceOf(given: unknown): Client["source"] {
  const { name, text } = record(given);
  return typeof name === "string" && typeof text === "string" ? { name, text } : null;
}

export function readExperiment(given: unknown): Experiment {
  const experiment = record(given);
  const durationS = numeric(experiment.duration_s) ?? 0;
  return {
    durationS,
    bitratesBps: list(record(experiment.content).bitrates_bps).flatMap((rate) =>
      typeof rate === "number" ? [rate] : [],
    ),
    clients: list(experiment.clients).map((each) => {
      const client = record(each);
      return {
        player: typeof client.player === "string" ? client.player : "",
        startS: numeric(client.start_s) ?? 0,
        stopS: numeric(client.stop_s),
        source: sourceOf(client.source),
      };
    }),
    lossEvents: list(experiment.events).flatMap((each) => {
      const { at_s: atS, loss } = record(each);
      return typeof atS === "number" && typeof loss === "number" ? [{ atS, loss }] : [];
    }),
    headroom: numeric(record(record(experiment.gateway).shaping).headroom) ?? 0,
  };
}

/** The ladder's bitrates as names of levels. */
export function levelNames({ bitratesBps }: Experiment): string[] {
  return bitratesBps.map((rate) => quantity(rate, "bit/s"));
}
