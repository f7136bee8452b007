import { zone } from "#/shared/time/format";
import type { Timing } from "./ScheduleFields";

/** Every night on the viewer's own clock. */
export function freshTiming(name: string): Required<Timing> {
  return {
    ...{ name, cron: "30 2 * * *", timezone: zone() },
    ...{ overlap: "skip", missed: "once", baseline: "last-good", most_replicates: 96 },
    ...{ mail_to: [], subjects: [] },
  };
}
