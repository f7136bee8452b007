import type { Role } from "#/shared/session/session";

/** What each role may do, in words; a role may all that those before it may. */
export const ROLES: readonly { value: Role; label: string; may: string }[] = [
  { value: "read", label: "read", may: "see everything of the team" },
  { value: "submit", label: "submit", may: "submit, steer and schedule campaigns" },
  { value: "admin", label: "admin", may: "manage members, tokens and webhooks" },
];

/** Those up to a role, for what may not exceed the user's own. */
export function rolesUpTo(role: Role | undefined): readonly (typeof ROLES)[number][] {
  return ROLES.slice(0, ROLES.findIndex(({ value }) => value === role) + 1);
}
