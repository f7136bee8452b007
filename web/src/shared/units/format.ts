/** Numbers for people: a thin no-break space before the unit, SI prefixes, few digits. */

const SPACE = "\u202f";
const PREFIXES = [
  [1e12, "T"],
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
  [1e-9, "n"],
] as const;

/** Of units such as 1/100 s. */
const PER = "1/";

const grouped = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** Whole numbers with their thousands apart: 30,000. */
export function count(value: number): string {
  return grouped.format(value);
}

/** 1 run, 30,000 runs. */
export function runCount(runs: number): string {
  return `${count(runs)} ${runs === 1 ? "run" : "runs"}`;
}

/** All digits of a whole number such as a seed; `≈` where JavaScript could not keep them all. */
export function whole(value: number): string {
  return Number.isSafeInteger(value) ? String(value) : `≈ ${value.toExponential(14)}`;
}

/** A number to so many significant digits, without trailing zeros. */
export function number(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e7 || size < 1e-4) return value.toExponential(digits - 1).replace("e+", "e");
  if (size >= 10 ** digits) return grouped.format(value);
  return String(Number(value.toPrecision(digits)));
}

/** With an SI prefix: prefixed(8e6, "bit/s") is 8 Mbit/s. */
function prefixed(value: number, unit: string, digits = 3): string {
  if (value === 0) return `0${SPACE}${unit}`;
  const rounded = Math.abs(Number(value.toPrecision(digits)));
  const [factor, prefix] = PREFIXES.find(([each]) => rounded >= each) ?? [1e-9, "n"];
  return `${number(value / factor, digits)}${SPACE}${prefix}${unit}`;
}

/** A value in a unit such as bit/s, s, bytes, %, packets; null is a dash. */
export function quantity(value: number | null | undefined, unit: string, digits = 3): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  if (unit === "") return number(value, digits);
  if (unit === "%") return `${number(value, digits)}${SPACE}%`;
  if (unit === "bytes") return prefixed(value, "B", digits);
  if (unit.startsWith(PER)) return `${number(value, digits)} per${SPACE}${unit.slice(PER.length)}`;
  if (unit === "bit/s" || (unit === "s" && Math.abs(value) < 1))
    return prefixed(value, unit, digits);
  return `${number(value, digits)}${SPACE}${unit}`;
}

/** 1.63 to 4.26 Mbit/s: one unit where both have the same; 1.63 Mbit/s where both are that. */
export function span(low: number, high: number, unit: string): string {
  const [from = "", to = ""] = [low, high].map((value) => quantity(value, unit));
  if (from === to) return from;
  const [value = "", ofIt = ""] = from.split(SPACE);
  return `${to.endsWith(SPACE + ofIt) ? value : from} to ${to}`;
}

/** A length of time: 850 ms, 12.4 s, 3 min 20 s, 5 h 02 min, 3 d 4 h. */
export function duration(seconds: number | null | undefined): string {
  if (seconds === null || seconds === undefined || !Number.isFinite(seconds)) return "–";
  if (seconds < 1) return prefixed(seconds, "s", 2);
  if (seconds < 60) return `${number(seconds, 3)}${SPACE}s`;
  const whole = Math.round(seconds);
  const pair = (big: number, bigUnit: string, small: number, smallUnit: string): string =>
    small === 0
      ? `${big}${SPACE}${bigUnit}`
      : `${big}${SPACE}${bigUnit} ${small}${SPACE}${smallUnit}`;
  if (whole < 3600) return pair(Math.floor(whole / 60), "min", whole % 60, "s");
  const minutes = Math.round(whole / 60);
  if (minutes < 1440) return pair(Math.floor(minutes / 60), "h", minutes % 60, "min");
  const hours = Math.round(minutes / 60);
  return pair(Math.floor(hours / 24), "d", hours % 24, "h");
}
