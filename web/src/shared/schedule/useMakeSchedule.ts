import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { api, type Schema } from "#/api/client";

/** Makes a schedule and opens its page; `onMade` comes before that. */
export function useMakeSchedule(team: string, onMade?: (made: Schema<"ScheduleOut">) => void) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return api.useMutation("post", "/api/v1/teams/{team}/schedules", {
    onSuccess: async (made) => {
      onMade?.(made);
      await queries.invalidateQueries();
      await navigate({
        to: "/teams/$team/schedules/$schedule",
        params: { team, schedule: made.id },
      });
    },
  });
}
