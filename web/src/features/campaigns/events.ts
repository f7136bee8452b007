/** Events of a campaign in words. */
import type { Schema } from "#/api/client";

export type Event = Schema<"EventOut">;

interface Told {
  what: string;
  why: string;
  /** Of the campaign or the run, after it. */
  state: string | null;
  /** Whose page tells more. */
  run: number | null;
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** What an event's data say; docs/platform.md has them by kind. */
export function told({ kind, data }: Pick<Event, "kind" | "data">): Told {
  const why = text(data.reason) || text(data.detail);
  const run = typeof data.run_id === "number" ? data.run_id : null;
  const state = text(data.state) || null;
  const number = run === null ? "" : ` ${run}`;
  switch (kind) {
    case "campaign.judged":
      return {
        what: `beside the baseline: ${text(data.verdict)}`,
        why: Array.isArray(data.told) ? text(data.told[0]) : "",
        state: null,
        run,
      };
    case "campaign.state":
      return { what: "campaign", why, state, run };
    case "campaign.trouble":
      return { what: `trouble: ${text(data.trouble)}`, why, state, run };
    case "run.started":
      return { what: `run${number}`, why, state: "running", run };
    case "run.ended":
      return { what: `run${number}`, why, state, run };
    case "schedule.tick":
      return { what: `schedule ${text(data.name)}`, why, state: null, run };
    case "webhook.delivery":
      return { what: `message ${text(data.kind)}`, why: why || text(data.state), state: null, run };
  }
}
