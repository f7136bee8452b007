/** The end of a factor's path, by which people know it: queue.limit. */
export function shortFactor(factor: string): string {
  return factor.split(".").slice(-2).join(".");
}

/** Levels as a query parameter takes them: `level.<factor>` -> text. */
export function levelQuery(levels: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(levels).map(([factor, text]) => [`level.${factor}`, text]),
  );
}
