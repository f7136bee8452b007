/** A paper's finding as the API judges it. */
export interface Finding {
  statement: string;
  verdict: string;
  comparisons: readonly { verdict: string }[];
}

/** The report leaves findings open in its types; what is no finding is left out. */
export function findingsOf(found: readonly Record<string, unknown>[]): Finding[] {
  return found.flatMap(({ statement, verdict, comparisons }) =>
    typeof statement === "string" && typeof verdict === "string" && Array.isArray(comparisons)
      ? [{ statement, verdict, comparisons: comparisons as Finding["comparisons"] }]
      : [],
  );
}

/** 4 comparisons: 3 supported, 1 inconclusive */
export function tally({ comparisons }: Finding): string {
  const counts = new Map<string, number>();
  for (const { verdict } of comparisons) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
  const parts = [...counts].sort((a, b) => b[1] - a[1]).map(([verdict, n]) => `${n} ${verdict}`);
  return `${comparisons.length === 1 ? "1 comparison" : `${comparisons.length} comparisons`}: ${parts.join(", ")}`;
}
