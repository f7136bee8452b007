/** Limits as they are typed: empty is none. */

export const GIGABYTE = 1e9;

export function limitOf(typed: string | number, unit = 1): number | null {
  return typed === "" ? null : Math.round(Number(typed) * unit);
}

export function typedLimit(limit: number | null | undefined, unit = 1): string | number {
  return limit === null || limit === undefined ? "" : limit / unit;
}

/** A name as it may stand in an address: "QoE lab" is qoe-lab. */
export function slugOf(name: string): string {
  return name
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 60);
}
