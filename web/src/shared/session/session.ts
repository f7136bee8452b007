import { useParams } from "@tanstack/react-router";
import { api, type Schema } from "#/api/client";

/** Who is signed in. */
export const meQuery = api.queryOptions("get", "/api/v1/me", undefined, { staleTime: 60_000 });

/** How one signs in here. */
export const waysInQuery = api.queryOptions("get", "/api/v1/session", undefined, {
  staleTime: Infinity,
});

export type Me = Schema<"Me">;
export type Role = Schema<"MyTeam">["role"];

const ROLES: readonly Role[] = ["read", "submit", "admin"];
const LAST_TEAM = "weir-team";

/** Who is signed in; pages inside the shell always know. */
export function useMe(): Me {
  const { data } = api.useSuspenseQuery("get", "/api/v1/me", undefined, { staleTime: 60_000 });
  return data;
}

/** The team of the page, by its slug. */
export function useTeam(): string {
  return useParams({ strict: false }).team ?? "";
}

/** Whether the user may do in this team what needs a role. */
export function useMay(needed: Role): boolean {
  const team = useTeam();
  const role = useMe().teams.find(({ slug }) => slug === team)?.role;
  return role !== undefined && ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** The team to begin with: the last one used, else the first. */
export function firstTeam({ teams }: Me): string | null {
  const last = localStorage.getItem(LAST_TEAM);
  return teams.find(({ slug }) => slug === last)?.slug ?? teams[0]?.slug ?? null;
}

export function rememberTeam(slug: string): void {
  localStorage.setItem(LAST_TEAM, slug);
}
