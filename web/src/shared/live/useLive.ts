import { useDocumentVisibility } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { listen, type Kind } from "./stream";

const LEAST_MS = 2_000;

interface Watched {
  /** /api/v1/campaigns/{campaign}/events or /api/v1/teams/{team}/events. */
  path: string;
  kinds: readonly Kind[];
  /** Whether there is anything to wait for. */
  enabled: boolean;
  /** A query is fetched anew when its key has this, the campaign's id, say; but those whose
   * `meta.ownPace` is true are not. */
  about: string;
  /** Least milliseconds between two looks, however much happens. */
  leastMs?: number;
}

/** Runs a action at once and then again, never twice at a time nor too often. */
function paced(
  action: () => Promise<void>,
  leastMs: number,
): { ask: () => void; stop: () => void } {
  let waits = false;
  let busy = false;
  let stopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const go = async (): Promise<void> => {
    busy = true;
    waits = false;
    const began = Date.now();
    await action();
    timer = setTimeout(
      () => {
        busy = false;
        if (waits && !stopped) void go();
      },
      Math.max(0, leastMs - (Date.now() - began)),
    );
  };
  return {
    ask: () => {
      waits = true;
      if (!busy && !stopped) void go();
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/**
 * Fetches what is shown anew as soon as something happens. Returns whether it is told of that: if
 * not, the page has to ask by itself from time to time. A page that nobody sees does not listen: a
 * browser has few connections to a server.
 */
export function useLive(watched: Watched): boolean {
  const { path, kinds, enabled, about, leastMs = LEAST_MS } = watched;
  const queries = useQueryClient();
  const [live, setLive] = useState(false);
  const seen = useDocumentVisibility() === "visible";
  const wanted = kinds.join(",");
  const listens = enabled && seen && typeof EventSource !== "undefined";
  useEffect(() => {
    if (!listens) return undefined;
    const look = paced(
      () =>
        queries.invalidateQueries({
          predicate: ({ queryKey, meta }) =>
            meta?.ownPace !== true && JSON.stringify(queryKey).includes(about),
        }),
      leastMs,
    );
    const named = wanted.split(",") as Kind[];
    const query = named.map((kind) => `kind=${kind}`).join("&");
    const leave = listen(`${path}?${query}`, named, { onChange: look.ask, onLive: setLive });
    return () => {
      leave();
      look.stop();
      setLive(false);
    };
  }, [listens, path, wanted, about, leastMs, queries]);
  return live;
}
