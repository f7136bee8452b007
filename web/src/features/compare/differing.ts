import { whole } from "#/shared/units/format";

/** Where two JSON values differ, leaf by leaf. */
export interface Differing {
  path: string;
  a: unknown;
  b: unknown;
}

type Loose = Record<string, unknown>;

function isRecord(value: unknown): value is Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A list of mappings as a mapping by place; null for anything else. */
function byPlace(value: unknown): Loose | null {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord)
    ? Object.fromEntries(value.map((each, index) => [String(index), each]))
    : null;
}

export function differing(a: unknown, b: unknown, path = ""): Differing[] {
  const left = isRecord(a) ? a : byPlace(a);
  const right = isRecord(b) ? b : byPlace(b);
  if (left !== null && right !== null)
    return [...new Set([...Object.keys(left), ...Object.keys(right)])].flatMap((name) =>
      differing(left[name], right[name], path === "" ? name : `${path}.${name}`),
    );
  return JSON.stringify(a ?? null) === JSON.stringify(b ?? null) ? [] : [{ path, a, b }];
}

/** A parameter's value on one line. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "number" && Number.isInteger(value)) return whole(value);
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Of two texts of several lines what lies between the lines that both begin and end with, after
 * "line 9:"; of other values all. */
export function changedText(own: unknown, other: unknown): string {
  if (typeof own !== "string" || typeof other !== "string") return valueText(own);
  const [mine, theirs] = [own.trimEnd().split("\n"), other.trimEnd().split("\n")];
  const least = Math.min(mine.length, theirs.length);
  if (least < 2) return own;
  let before = 0;
  while (before < least && mine[before] === theirs[before]) before++;
  let after = 0;
  while (after < least - before && mine.at(-1 - after) === theirs.at(-1 - after)) after++;
  const changed = mine.slice(before, mine.length - after);
  return [`line ${whole(before + 1)}:`, ...(changed.length === 0 ? ["–"] : changed)].join("\n");
}
