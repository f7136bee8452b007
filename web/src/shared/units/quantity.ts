/** Quantities as campaigns write them (`8Mbit/s`, `100ms`, `1bdp`), after core/weir/units.py. */

const UNITS = {
  rate: { "bit/s": 1, "kbit/s": 1e3, "Mbit/s": 1e6, "Gbit/s": 1e9 },
  duration: { us: 1e-6, ms: 1e-3, s: 1, min: 60, h: 3600 },
  ratio: { "%": 0.01 },
  limit: { packets: 1, bdp: 1 },
} as const satisfies Record<string, Record<string, number>>;

type Dimension = keyof typeof UNITS;

const NUMBER = /^\s*\+?(\d+\.?\d*|\.\d+)([eE][-+]?\d{1,3})?\s*(\S*)\s*$/;

/** A quantity in SI (bit/s, s, ratio, packets or BDPs) with its unit, or null when it is none. */
export function parse(dimension: Dimension, text: unknown): { value: number; unit: string } | null {
  if (text === 0) return { value: 0, unit: "" };
  if (typeof text !== "string") return null;
  const match = NUMBER.exec(text);
  if (match === null) return null;
  const number = Number(`${match[1] ?? ""}${match[2] ?? ""}`);
  const unit = match[3] ?? "";
  if (unit === "" && number === 0) return { value: 0, unit: "" };
  const factor = (UNITS[dimension] as Record<string, number>)[unit];
  return factor === undefined ? null : { value: number * factor, unit };
}

/** The value alone, in SI, or null. */
export function si(dimension: Dimension, text: unknown): number | null {
  return parse(dimension, text)?.value ?? null;
}

const PACKET_BYTES = 1500;

/** Packets in a multiple of the bandwidth-delay product, as the lab counts them. */
export function bdpPackets(rateBps: number, rttS: number, multiple = 1): number {
  return Math.max(1, Math.ceil((multiple * rateBps * rttS) / 8 / PACKET_BYTES - 1e-9));
}
