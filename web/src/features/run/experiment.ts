/** The parts of a resolved experiment that plots need; its types are open in the API. */
import { duration, quantity } from "#/shared/units/format";

export interface Client {
  player: string;
  startS: number;
  /** null: to the end. */
  stopS: number | null;
  /** The user's own code that it ran. */
  source: { name: string; text: string } | null;
}

/** Something that is asked to be so on a path for a while; in both directions once. */
export interface PathEvent {
  atS: number;
  forS: number;
  /** null: of the only path. */
  path: string | null;
  /** "silent", "no carrier", "10 % loss", "round trip 200 ms". */
  what: string;
}

export interface Experiment {
  durationS: number;
  bitratesBps: readonly number[];
  clients: readonly Client[];
  /** Names of its paths, in order; none where they are not named. */
  paths: readonly string[];
  events: readonly PathEvent[];
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

/** What an event does, of which there are so many alike, one for each direction. */
function whatOf({ loss, rtt_s: rtt, down }: Loose, alike: number): string | null {
  if (down === "carrier") return "no carrier";
  if (loss === 1 && alike === 2) return "silent";
  if (typeof loss === "number") return `${quantity(100 * loss, "%")} loss`;
  return typeof rtt === "number" ? `round trip ${duration(rtt)}` : null;
}

function eventsOf(given: unknown): PathEvent[] {
  const alike = new Map<string, Loose[]>();
  for (const each of list(given).map(record)) {
    const { at_s, for_s, path, loss, rtt_s, down } = each;
    const key = JSON.stringify([at_s, for_s, path, loss, rtt_s, down]);
    alike.set(key, [...(alike.get(key) ?? []), each]);
  }
  return [...alike.values()].flatMap((events) => {
    const [{ at_s: atS, for_s: forS, path } = {}] = events;
    const what = whatOf(record(events[0]), events.length);
    if (typeof atS !== "number" || typeof forS !== "number" || what === null) return [];
    return [{ atS, forS, path: typeof path === "string" ? path : null, what }];
  });
}

export function readExperiment(given: unknown): Experiment {
  const experiment = record(given);
  const gateway = record(experiment.gateway);
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
    paths: [gateway, ...list(gateway.others).map(record)].flatMap(({ name }) =>
      typeof name === "string" ? [name] : [],
    ),
    events: eventsOf(experiment.events),
    headroom: numeric(record(gateway.shaping).headroom) ?? 0,
  };
}

/** The ladder's bitrates as names of levels. */
export function levelNames({ bitratesBps }: Experiment): string[] {
  return bitratesBps.map((rate) => quantity(rate, "bit/s"));
}
