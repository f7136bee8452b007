import type { Schema } from "#/api/client";

/** Who has any curve, in order. */
export function clientsOf(curves: readonly Pick<Schema<"CurveOut">, "client">[]): number[] {
  return [...new Set(curves.flatMap(({ client }) => client ?? []))].sort((a, b) => a - b);
}
