import type { Schema } from "#/api/client";

/** Whether a token still lets anybody in. now: ms since 1970. */
export function standing(
  {
    revoked_at: revoked,
    expires_at: expires,
  }: Pick<Schema<"TokenOut">, "revoked_at" | "expires_at">,
  now: number,
): "active" | "revoked" | "expired" {
  if (revoked !== null) return "revoked";
  return expires !== null && Date.parse(expires) <= now ? "expired" : "active";
}
