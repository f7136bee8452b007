import { useQueryClient } from "@tanstack/react-query";
import { api, type Schema } from "#/api/client";
import type { Kind } from "#/shared/live/stream";
import { useLive } from "#/shared/live/useLive";
import { notifyProblem } from "#/shared/errors/notify";

export type Schedule = Schema<"ScheduleOut">;
export type Tick = Schema<"TickOut">;

const POLL_MS = 15_000;
const WATCHED: readonly Kind[] = ["schedule.tick"];

/** Follows what becomes of schedules. Their times come from far away: it may be asked slowly. */
function useTicks(team: string): void {
  const path = `/api/v1/teams/${team}/events`;
  useLive({ path, kinds: WATCHED, enabled: true, about: "schedule" });
}

export function useSchedules(team: string) {
  useTicks(team);
  return api.useQuery(
    "get",
    "/api/v1/teams/{team}/schedules",
    { params: { path: { team }, query: { limit: 500 } } },
    { refetchInterval: POLL_MS },
  );
}

export function useSchedule(team: string, schedule: string) {
  useTicks(team);
  return api.useQuery(
    "get",
    "/api/v1/schedules/{schedule}",
    { params: { path: { schedule } } },
    { refetchInterval: POLL_MS },
  );
}

/** Switching on and off. */
export function useEnable() {
  const queries = useQueryClient();
  return api.useMutation("patch", "/api/v1/schedules/{schedule}", {
    onSuccess: () => queries.invalidateQueries(),
    onError: notifyProblem,
  });
}

/** Submitting its campaign now. */
export function useRunNow() {
  const queries = useQueryClient();
  return api.useMutation("post", "/api/v1/schedules/{schedule}/run", {
    onSuccess: () => queries.invalidateQueries(),
    onError: notifyProblem,
  });
}
