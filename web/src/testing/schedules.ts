/** A schedule, and what the platform answers about it. */
import type { Schema } from "#/api/client";
import { campaign, me } from "./platform";

const submitted = { files: {}, overrides: {}, replicates: null, seed: null, priority: 0 };
export const schedule: Schema<"ScheduleDetail"> = {
  id: "6f0d0000-0000-4000-8000-000000000005",
  name: "nightly",
  cron: "30 2 * * *",
  timezone: "UTC",
  overlap: "skip",
  missed: "once",
  enabled: true,
  created_by: null,
  created_at: "2026-11-21T09:00:00Z",
  next_at: "2026-11-22T02:30:00Z",
  baseline: "last-good",
  most_replicates: 96,
  subjects: [],
  mail_to: [],
  badge: null,
  effects: {},
  last: null,
  campaign: { document: "name: quickstart", ...submitted },
};

/** Where the API has it. */
export const HERE = `/api/v1/schedules/${schedule.id}`;

/** An answer that keeps in `bodies` what was sent. */
export const keeping = (bodies: unknown[]) => async (request: Request) => {
  bodies.push(await request.json());
  return Response.json(schedule);
};

/** Of a team member; `bodies` gets what was sent to change the schedule. */
export function answersInto(bodies: unknown[]) {
  return {
    "GET /api/v1/me": () => me,
    "GET /api/v1/session": () => ({ auth: "login", single_sign_on: null }),
    "GET /api/v1/library/campaigns": () => [],
    ...Object.fromEntries<() => unknown>(
      ["qoe", "cdn"].flatMap((team) => [
        [`GET /api/v1/teams/${team}/campaigns`, () => ({ items: [campaign], next: null })],
        [`GET /api/v1/teams/${team}/schedules`, () => ({ items: [schedule], next: null })],
        [`GET /api/v1/teams/${team}/schedules/preview`, () => []],
      ]),
    ),
    [`GET ${HERE}`]: () => schedule,
    [`GET ${HERE}/ticks`]: () => ({ items: [], next: null }),
    "GET /api/v1/library/choices": () => ({ players: [], congestion_controls: [], metrics: [] }),
    [`GET ${HERE}/board`]: () => ({ campaign: null, night: null, points: [] }),
    [`GET ${HERE}/alarms`]: () => ({ items: [], next: null }),
    [`PATCH ${HERE}`]: keeping(bodies),
  };
}
