/** What the drawing of a cell shows, read from an experiment as it is being typed. */

import { bdpPackets, parse, si } from "#/shared/units/quantity";

/** A word in the drawing. state: missing (not typed yet), wrong (typed, but not understood). */
export interface Word {
  text: string;
  state: "ok" | "missing" | "wrong";
}

export interface LinkDrawn {
  rate: Word;
  /** What else there is to the rate, such as its number of steps. */
  note: string;
  rateBps: number | null;
  varies: boolean;
}

export interface ClientDrawn {
  player: Word;
  count: number;
  start: string | null;
  stop: string | null;
  buffer: string;
}

export interface CellDrawn {
  server: { http: Word; congestionControl: Word };
  rtt: Word;
  jitter: string | null;
  loss: { downlink: string | null; uplink: string | null };
  queue: { discipline: Word; limit: Word; limitPackets: number | null };
  shaping: { method: Word; headroom: string };
  downlink: LinkDrawn;
  uplink: LinkDrawn | null;
  clients: ClientDrawn[];
  duration: Word;
  events: string[];
}

const SERVERS = ["nginx", "apache"];
const DISCIPLINES = [
  "drop-tail",
  "sfq",
  "red",
  "ared",
  "codel",
  "fq-codel",
  "pie",
  "cake",
] as const;
const METHODS = ["none", "htbm", "rwtm"] as const;

type Tree = Record<string, unknown>;

function tree(value: unknown): Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Tree)
    : {};
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [];
}

function shown(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined ? "" : JSON.stringify(value);
}

function word(value: unknown, ok: (text: string) => boolean, absent?: string): Word {
  if (value === undefined || value === null || value === "")
    return absent === undefined ? { text: "?", state: "missing" } : { text: absent, state: "ok" };
  const text = shown(value);
  return { text, state: ok(text) ? "ok" : "wrong" };
}

const among =
  (names: readonly string[]) =>
  (text: string): boolean =>
    names.includes(text);
const isRate = (text: string): boolean => (si("rate", text) ?? 0) > 0;
const isDuration = (text: string): boolean => si("duration", text) !== null;

function unlessZero(value: unknown): string | null {
  if (value === undefined || value === null || value === 0) return null;
  const text = shown(value);
  return /^\s*0*\.?0*\s*\D*$/.test(text) && text.includes("0") ? null : text;
}

function link(value: unknown, shares: number | null): LinkDrawn {
  const rate = tree(value);
  const times = shares === null ? "" : `× ${shares} clients`;
  if (Array.isArray(rate.steps)) {
    const first = tree(list(rate.steps)[0]).rate;
    return {
      rate: word(first, isRate),
      note: `${list(rate.steps).length} steps ${times}`,
      rateBps: si("rate", first),
      varies: true,
    };
  }
  if ("trace" in rate)
    return {
      rate: word(rate.trace, (text) => text.length > 0),
      note: `trace ${times}`,
      rateBps: null,
      varies: true,
    };
  const each = si("rate", value);
  return {
    rate: word(value, isRate),
    note: times,
    rateBps: each === null ? null : each * (shares ?? 1),
    varies: false,
  };
}

function client(value: unknown): ClientDrawn {
  const found = tree(value);
  const count = found.count;
  return {
    player: word(found.player, (text) => /^[\w./:-]+$/.test(text)),
    count: typeof count === "number" && Number.isInteger(count) && count > 0 ? count : 1,
    start: unlessZero(found.start),
    stop: unlessZero(found.stop),
    buffer: shown(found.buffer) || "30s",
  };
}

function event(value: unknown): string {
  const { at, for: length, loss } = tree(value);
  return `${shown(loss) || "?"} loss at ${shown(at) || "?"} for ${shown(length) || "?"}`;
}

/** The packets a queue of the typed limit holds; null when that cannot be told. */
function packets(limit: unknown, rateBps: number | null, rttS: number | null): number | null {
  const found = parse("limit", limit);
  if (found === null || found.value <= 0) return null;
  if (found.unit === "packets") return found.value;
  return rateBps === null || !rttS ? null : bdpPackets(rateBps, rttS, found.value);
}

/** Never throws: anything may be missing or of the wrong kind. */
export function readCell(experiment: unknown): CellDrawn {
  const root = tree(experiment);
  const server = tree(root.server);
  const gateway = tree(root.gateway);
  const down = tree(gateway.downlink);
  const up = tree(gateway.uplink);
  const queue = tree(down.queue);
  const path = tree(gateway.path);
  const rtt = tree(path.rtt);
  const loss = tree(path.loss);
  const shaping = tree(gateway.shaping);
  const clients = list(root.clients).map(client);
  const total = clients.reduce((sum, each) => sum + each.count, 0);
  const downlink = link(down.rate, down.per_client === true ? Math.max(1, total) : null);
  const limit = queue.limit ?? "1bdp";
  const reference = tree(queue.bdp);
  return {
    server: {
      http: word(server.http, among(SERVERS), "nginx"),
      congestionControl: word(server.congestion_control, (t) => /^[a-z0-9_]+$/.test(t), "cubic"),
    },
    rtt: word(rtt.mean, isDuration, "0ms"),
    jitter: unlessZero(rtt.stddev),
    loss: { downlink: unlessZero(loss.downlink), uplink: unlessZero(loss.uplink) },
    queue: {
      discipline: word(queue.discipline, among(DISCIPLINES), "drop-tail"),
      limit: word(limit, (text) => (si("limit", text) ?? 0) > 0),
      limitPackets: packets(
        limit,
        si("rate", reference.rate) ?? downlink.rateBps,
        si("duration", reference.rtt) ?? si("duration", rtt.mean),
      ),
    },
    shaping: {
      method: word(shaping.method, among(METHODS), "none"),
      headroom: shown(shaping.headroom) || "10%",
    },
    downlink,
    uplink: up.rate === undefined || up.rate === null ? null : link(up.rate, null),
    clients,
    duration: word(root.duration, isDuration),
    events: list(root.events).map(event),
  };
}
