/** Moments in the viewer's own zone. All take ISO 8601 with a zone, as the API writes it. */

const STEPS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;
const WEEK_S = 7 * 86_400;

const ago = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });

const DAY = { day: "numeric", month: "short", year: "numeric" } as const;
const ofDay = new Intl.DateTimeFormat("en-GB", DAY);
const ofMinute = new Intl.DateTimeFormat("en-GB", { ...DAY, hour: "2-digit", minute: "2-digit" });
const inFull = new Intl.DateTimeFormat("en-GB", {
  ...DAY,
  weekday: "short",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  timeZoneName: "short",
});

/** 3 min. ago, yesterday, in 2 hr.; a date when more than a week away. now: ms since 1970. */
export function relative(at: string, now: number): string {
  const seconds = (Date.parse(at) - now) / 1000;
  if (Math.abs(seconds) < 45) return seconds > 5 ? "now" : "just now";
  if (Math.abs(seconds) > WEEK_S) return day(at);
  const [unit, size] = STEPS.find(([, each]) => Math.abs(seconds) >= each) ?? ["minute", 60];
  return ago.format(Math.round(seconds / size) || Math.sign(seconds), unit);
}

/** 21 Nov 2026 */
export function day(at: string): string {
  return ofDay.format(new Date(at));
}

/** 21 Nov 2026, 10:23 */
export function minute(at: string): string {
  return ofMinute.format(new Date(at));
}

/** Sat 21 Nov 2026, 10:23:13 CET */
export function full(at: string): string {
  return inFull.format(new Date(at));
}

/** The viewer's zone: Europe/Berlin. */
export function zone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
