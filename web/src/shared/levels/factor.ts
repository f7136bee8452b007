/** Last parts of paths that say little without the part before them. */
const VAGUE = new Set([
  "method",
  "discipline",
  "mean",
  "stddev",
  "limit",
  "start",
  "stop",
  "rate",
  "player",
]);

/** The telling end of a factor's path, as reports have it: gateway.shaping.method, shaping method. */
export function shortFactor(factor: string): string {
  const parts = factor.split(".");
  const last = parts.at(-1) ?? "";
  const before = parts.at(-2);
  const kept =
    before !== undefined && (VAGUE.has(last) || /^\d+$/.test(last))
      ? /^\d+$/.test(before)
        ? 3
        : 2
      : 1;
  return parts.slice(-kept).join(" ").replaceAll("_", " ");
}

/** Levels as a query parameter takes them: `level.<factor>` -> text; undefined for none. */
export function levelQuery(
  levels: Readonly<Record<string, string>>,
): Record<string, string> | undefined {
  const named = Object.entries(levels).map(([factor, text]) => [`level.${factor}`, text] as const);
  return named.length === 0 ? undefined : Object.fromEntries(named);
}
