/** Colours with a meaning, for each scheme; the rest of the look is Mantine's theme. */
export type Scheme = "light" | "dark";

export const STATES = [
  "succeeded",
  "running",
  "queued",
  "pending",
  "invalid",
  "failed",
  "cancelled",
] as const;
export type RunState = (typeof STATES)[number];

/** Told apart with any colour vision: they differ in lightness, too. */
export const STATE_COLOURS: Record<Scheme, Record<RunState, string>> = {
  light: {
    succeeded: "#3aa394",
    running: "#2f6fd0",
    queued: "#d5dce3",
    pending: "#e6eaee",
    invalid: "#e0a21b",
    failed: "#c4382f",
    cancelled: "#a9b4bf",
  },
  dark: {
    succeeded: "#3f9f92",
    running: "#6ea8ff",
    queued: "#38434e",
    pending: "#2b343d",
    invalid: "#e5b244",
    failed: "#f0655a",
    cancelled: "#687684",
  },
};

/** For series: blue, orange, green, purple, ... after Okabe and Ito, tuned for each ground. */
export const SERIES_COLOURS: Record<Scheme, readonly string[]> = {
  light: ["#1f6fb4", "#d9741a", "#128a6e", "#a84f9c", "#8a6d00", "#3ba3d0", "#c0392b", "#5b6770"],
  dark: ["#62b0f0", "#f0a04e", "#43c6a3", "#d88fcd", "#d9c04a", "#8fd6f5", "#f0776b", "#a9b6c0"],
};

/** Ink and ground of plots and drawings. */
export const INK: Record<
  Scheme,
  { text: string; dim: string; line: string; grid: string; ground: string }
> = {
  light: {
    text: "#1d2a35",
    dim: "#5a6874",
    line: "#8d99a5",
    grid: "#e8ecf0",
    ground: "#ffffff",
  },
  dark: {
    text: "#e3e9ee",
    dim: "#9aa8b5",
    line: "#66737f",
    grid: "#2a333c",
    ground: "#161c22",
  },
};

/** The colour of the series at an index; they repeat after the last. */
export function seriesColour(scheme: Scheme, index: number): string {
  const colours = SERIES_COLOURS[scheme];
  return colours[index % colours.length] ?? INK[scheme].text;
}
