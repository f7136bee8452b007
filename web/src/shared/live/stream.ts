/** Server-sent events of a campaign or a team, joined again whenever they break off. */
import type { Schema } from "#/api/client";

interface StreamHandlers {
  /** Something happened, or may have happened unseen. */
  onChange: () => void;
  /** Whether what happens is told at once. */
  onLive: (live: boolean) => void;
}

export type Kind = Schema<"EventOut">["kind"];

const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 60_000;

/** Begins to listen; returns what ends it. */
export function listen(url: string, kinds: readonly Kind[], on: StreamHandlers): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let wait = FIRST_WAIT_MS;
  let broke = false;

  const dead = (): void => {
    source?.close();
    source = null;
    broke = true;
    on.onLive(false);
    // Where the server is gone, this says so.
    on.onChange();
    timer = setTimeout(join, wait);
    wait = Math.min(2 * wait, LONGEST_WAIT_MS);
  };
  function join(): void {
    const joined = new EventSource(url);
    source = joined;
    joined.addEventListener("open", (event) => {
      // The browser's own comes before the server watches.
      if (!(event instanceof MessageEvent)) return;
      wait = FIRST_WAIT_MS;
      on.onLive(true);
      // What happened between two streams was told by neither.
      if (broke) on.onChange();
      broke = false;
    });
    for (const kind of [...kinds, "lagged"]) joined.addEventListener(kind, () => on.onChange());
    // Refused, or it may be watched no more: an EventSource would not try again by itself.
    joined.addEventListener("closed", dead);
    joined.addEventListener("error", () => {
      if (source === joined) dead();
    });
  }
  join();
  return () => {
    clearTimeout(timer);
    source?.close();
    source = null;
  };
}
