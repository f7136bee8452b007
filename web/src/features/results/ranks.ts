/** How many clients an experiment has, as typed in its campaign. */
const WHEN_VARIED = 10;

/** The number of ranks to choose from; where clients are a factor, as many as one may want. */
export function ranksOf(experiment: unknown, factors: readonly string[]): number {
  if (factors.some((factor) => factor === "clients" || /^clients\.\d+\.count$/.test(factor)))
    return WHEN_VARIED;
  const clients = (experiment as { clients?: unknown } | null | undefined)?.clients;
  if (!Array.isArray(clients)) return WHEN_VARIED;
  return clients.reduce<number>((sum, client: unknown) => {
    const count = (client as { count?: unknown } | null)?.count;
    return sum + (typeof count === "number" ? count : 1);
  }, 0);
}
