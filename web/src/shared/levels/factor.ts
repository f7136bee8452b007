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
  "version",
  "active",
  "enabled",
]);

const isIndex = (part: string | undefined): boolean => part !== undefined && /^\d+$/.test(part);

/** The steps of a path for people, who count places in a list from one: client, 1, player. */
export function wordsOf(path: readonly (string | number)[]): string[] {
  const steps = path.map(String);
  return steps.map((step, at) => {
    if (isIndex(step)) return String(Number(step) + 1);
    return (isIndex(steps[at + 1]) ? step.replace(/s$/, "") : step).replaceAll("_", " ");
  });
}

/** The telling end of a factor's path, as reports have it: gateway.shaping.method, shaping method;
 * clients.0.player, client 1 player; clients.0.options.version, client 1 version. */
export function shortFactor(factor: string): string {
  const parts = factor.replace(".options.", ".").split(".");
  const [before, last = ""] = [parts.at(-2), parts.at(-1)];
  const isVague = before !== undefined && (VAGUE.has(last) || isIndex(last));
  const kept = !isVague ? 1 : isIndex(before) ? 3 : 2;
  return wordsOf(parts).slice(-kept).join(" ");
}

/** What goes down and what across, as a table's corner has it: ↓ shaping method → rtt mean. */
export function axes(down: readonly string[], across: readonly string[]): string {
  const named = (arrow: string, factors: readonly string[]): string =>
    factors.length === 0 ? "" : `${arrow}\u00a0${factors.map(shortFactor).join(" · ")}`;
  return [named("↓", down), named("→", across)].filter((each) => each !== "").join("\u2003");
}

/** Levels as a query parameter takes them: `level.<factor>` -> text; undefined for none. */
export function levelQuery(
  levels: Readonly<Record<string, string>>,
): Record<string, string> | undefined {
  const named = Object.entries(levels).map(([factor, text]) => [`level.${factor}`, text] as const);
  return named.length === 0 ? undefined : Object.fromEntries(named);
}
