/** The parts of a resolved experiment that plots need; its types are open in the API. */
import type { CellEvent } from "#/shared/cell/cell";
import { whatHappens } from "#/shared/cell/describe";
import { leavesOf } from "#/shared/levels/leaves";
import { playerName } from "#/shared/runs/player";
import { quantity } from "#/shared/units/format";

export interface Client {
  /** With its version. */
  player: string;
  /** Of a program of others: settings by their dotted names, or what it was started from, and its
   * hash; null: it is a player of Weir's own. */
  told: readonly (readonly [string, unknown])[] | null;
  startS: number;
  /** null: to the end. */
  stopS: number | null;
  /** The user's own code that it ran. */
  source: { name: string; text: string } | null;
}

/** Something that is asked to be so on a path for a while. */
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
  /** Its film is made while it is watched. */
  isLive: boolean;
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

const dotted = (tree: Loose): [string, unknown][] =>
  leavesOf(tree).map(([path, value]) => [path.join("."), value]);

function toldOf({ options, package: brought }: Loose): Client["told"] {
  const { main, sha256 } = record(brought);
  if (typeof main === "string") return [...dotted({ main, sha256 }), ...dotted(record(options))];
  const { settings } = record(options);
  return settings === undefined ? null : dotted(record(settings));
}

/** Those that change a rate are told by the link's rate itself. */
function eventsOf(given: readonly CellEvent[]): PathEvent[] {
  return given
    .filter(({ rate_bps: rate }) => rate == null)
    .map((event) => ({
      atS: event.at_s,
      forS: event.for_s,
      path: event.path ?? null,
      what: whatHappens({ ...event, path: null }),
    }));
}

/** events: as the server tells them of the same experiment. */
export function readExperiment(given: unknown, events: readonly CellEvent[] = []): Experiment {
  const experiment = record(given);
  const gateway = record(experiment.gateway);
  const content = record(experiment.content);
  const durationS = numeric(experiment.duration_s) ?? 0;
  return {
    durationS,
    bitratesBps: list(content.bitrates_bps).flatMap((rate) =>
      typeof rate === "number" ? [rate] : [],
    ),
    isLive: content.live !== undefined,
    clients: list(experiment.clients).map((each) => {
      const client = record(each);
      const options = record(client.options);
      return {
        player: typeof client.player === "string" ? playerName(client.player, options) : "",
        told: toldOf(client),
        startS: numeric(client.start_s) ?? 0,
        stopS: numeric(client.stop_s),
        source: sourceOf(client.source),
      };
    }),
    paths: [gateway, ...list(gateway.others).map(record)].flatMap(({ name }) =>
      typeof name === "string" ? [name] : [],
    ),
    events: eventsOf(events),
    headroom: numeric(record(gateway.shaping).headroom) ?? 0,
  };
}

/** The ladder's bitrates as names of levels. */
export function levelNames({ bitratesBps }: Experiment): string[] {
  return bitratesBps.map((rate) => quantity(rate, "bit/s"));
}
