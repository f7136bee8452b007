/** What is being written, kept in this browser until it is submitted or thrown away. */
import { useCallback, useEffect, useState } from "react";
import * as v from "valibot";

const shape = v.object({
  /** Made once per draft: sending it twice makes no second campaign. */
  id: v.string(),
  /** What it began as: quickstart, a campaign's name; empty: nothing. */
  origin: v.string(),
  text: v.string(),
  /** Name in the campaign -> SHA-256 of what was uploaded. */
  files: v.record(v.string(), v.string()),
  priority: v.number(),
});

export type Draft = v.InferOutput<typeof shape>;

const keyOf = (team: string): string => `weir-draft:${team}`;

export function newDraft(parts: Pick<Draft, "origin" | "text"> & Partial<Draft>): Draft {
  const random = crypto.getRandomValues(new Uint32Array(4));
  return {
    id: [...random].map((each) => each.toString(36)).join(""),
    files: {},
    priority: 0,
    ...parts,
  };
}

function loadDraft(team: string): Draft | null {
  try {
    const found = v.safeParse(shape, JSON.parse(localStorage.getItem(keyOf(team)) ?? "null"));
    return found.success ? found.output : null;
  } catch {
    return null;
  }
}

function save(team: string, draft: Draft | null): void {
  try {
    if (draft === null) localStorage.removeItem(keyOf(team));
    else localStorage.setItem(keyOf(team), JSON.stringify(draft));
  } catch {
    // No room, or storage is forbidden: it lives as long as the page.
  }
}

export type ChangeDraft = (change: Partial<Draft>) => void;

/** The team's draft; null: none was begun. */
export function useDraft(team: string) {
  const [draft, setDraft] = useState(() => loadDraft(team));
  useEffect(() => save(team, draft), [team, draft]);
  const change: ChangeDraft = useCallback(
    (parts) => setDraft((before) => (before === null ? null : { ...before, ...parts })),
    [],
  );
  const begin = useCallback((next: Draft) => setDraft(next), []);
  const discard = useCallback(() => {
    save(team, null);
    setDraft(null);
  }, [team]);
  return { draft, change, begin, discard };
}
