import { useQueryClient } from "@tanstack/react-query";
import { api, type Schema } from "#/api/client";
import type { Kind } from "#/shared/live/stream";
import { useLive } from "#/shared/live/useLive";
import { notifyProblem } from "#/shared/errors/notify";

export type Schedule = Schema<"ScheduleOut">;
export type Tick = Schema<"TickOut">;

const POLL_MS = 15_000;
const TOLD_POLL_MS = 60_000;
const WATCHED: readonly Kind[] = ["schedule.tick", "campaign.judged"];

/** Follows what becomes of schedules by the team's events. Returns how often, in ms, to ask as
 * well: what others change is told by none. */
export function useTicks(team: string): number {
  const path = `/api/v1/teams/${team}/events`;
  const live = useLive({ path, kinds: WATCHED, enabled: true, about: "schedule" });
  return live ? TOLD_POLL_MS : POLL_MS;
}

export function useSchedules(team: string) {
  const poll = useTicks(team);
  return api.useQuery(
    "get",
    "/api/v1/teams/{team}/schedules",
    { params: { path: { team }, query: { limit: 500 } } },
    { refetchInterval: poll },
  );
}

export function useSchedule(schedule: string, poll: number) {
  return api.useQuery(
    "get",
    "/api/v1/schedules/{schedule}",
    { params: { path: { schedule } } },
    { refetchInterval: poll },
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

/** Choosing what its campaigns are compared with. */
export function useCompareWith() {
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
