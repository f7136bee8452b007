/** A condition of a run: what was asked, what was applied, and what was measured. */
import { number, quantity } from "#/shared/units/format";

export interface Check {
  name: string;
  ok: boolean;
  asked: unknown;
  applied: unknown;
  measured: unknown;
  tolerance: unknown;
}

export function checksOf(found: readonly Record<string, unknown>[]): Check[] {
  return found.map(({ name, ok, asked, applied, measured, tolerance }) => ({
    name: typeof name === "string" ? name : "",
    ok: ok === true,
    asked,
    applied,
    measured,
    tolerance,
  }));
}

const UNITS = [
  ["_bps", "bit/s"],
  ["_s", "s"],
  ["_packets", "packets"],
  ["_bytes", "bytes"],
] as const;

function unitOf(name: string): string {
  return UNITS.find(([ending]) => name.endsWith(ending))?.[1] ?? "";
}

/** idle_rtt_s: Idle RTT */
export function checkTitle(name: string): string {
  const ending = UNITS.find(([each]) => name.endsWith(each))?.[0] ?? "";
  const words = name.slice(0, name.length - ending.length).replaceAll("_", " ");
  return (words.charAt(0).toUpperCase() + words.slice(1)).replace(/\brtt\b/gi, "RTT");
}

/** A value in the unit that a check's name ends with. */
export function checkValue(name: string, value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "number") return quantity(value, unitOf(name), 6);
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map((each) => checkValue(name, each)).join(", ");
  return JSON.stringify(value);
}

/** Below 1 a tolerance of a rate is a share of it. */
export function toleranceText({ name, tolerance }: Check): string {
  if (typeof tolerance !== "number") return "";
  if (tolerance === 0) return "exact";
  return name.endsWith("_bps")
    ? `± ${number(100 * tolerance)} %`
    : `± ${quantity(tolerance, unitOf(name))}`;
}

/** Lines that were carried out, rather than a value that was set. */
export function commandLines(applied: unknown): string[] | null {
  return Array.isArray(applied) &&
    applied.length > 0 &&
    applied.every((each) => typeof each === "string" && each.includes(" "))
    ? (applied as string[])
    : null;
}
