/** Cron lines in words, and the zones that they may be in. */
import { toString } from "cronstrue";

/** "At 02:30, Monday through Friday"; the line itself where it is none. */
export function cronWords(cron: string): string {
  try {
    return toString(cron, { use24HourTimeFormat: true, verbose: true });
  } catch {
    return cron;
  }
}

export const USUAL_TIMES = [
  { value: "30 2 * * *", label: "every night at 02:30" },
  { value: "30 2 * * MON-FRI", label: "on weekdays at 02:30" },
  { value: "0 6 * * MON", label: "every Monday at 06:00" },
  { value: "0 * * * *", label: "every hour" },
  { value: "0 3 1 * *", label: "on the first of every month at 03:00" },
] as const;

export const OVERLAPS = {
  skip: "leave it out",
  queue: "wait for that one to be over",
  parallel: "start beside it",
} as const;

export const MISSED = {
  once: "make up for it once",
  skip: "leave it out",
} as const;

export const BASELINES = {
  "last-good": "the last one shown to be not worse",
  none: "nothing",
} as const;

export function baselineWords(baseline: string): string {
  const words: Readonly<Record<string, string>> = BASELINES;
  return words[baseline] ?? `the campaign ${baseline.slice(0, 8)}`;
}

/** As choices of a field. */
export function entries(
  words: Readonly<Record<string, string>>,
): { value: string; label: string }[] {
  return Object.entries(words).map(([value, label]) => ({ value, label }));
}

export function zones(): string[] {
  return ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];
}
