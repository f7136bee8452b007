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

/** For series: blue, orange, green, purple, ... told apart with any colour vision. */
export const SERIES_COLOURS: Record<Scheme, readonly string[]> = {
  light: ["#3378ce", "#d66904", "#217053", "#a74c98", "#908c71", "#00a0d7", "#bb2d18", "#3c4c5c"],
  dark: ["#62aaf2", "#ea9c4a", "#5cdeb2", "#b16eb2", "#ecd058", "#b1e5ff", "#e26b61", "#9ba7af"],
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
