/** Keyboard shortcuts: one listener, and a list that the help shows. */
import { useEffect, useRef, useSyncExternalStore } from "react";

export interface Shortcut {
  /** Keys one after another, with a space between: "?", "g c". */
  keys: string;
  label: string;
}

interface Registered extends Shortcut {
  run: () => void;
}

const SEQUENCE_MS = 1_200;
let registered: readonly Registered[] = [];
const listeners = new Set<() => void>();

function change(next: readonly Registered[]): void {
  registered = next;
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** All that work now, in the order they were added. */
export function useShortcuts(): readonly Shortcut[] {
  return useSyncExternalStore(subscribe, () => registered);
}

/** A shortcut while the component is there. */
export function useShortcut(keys: string, label: string, run: () => void): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => {
    const entry: Registered = { keys, label, run: () => latest.current() };
    change([...registered, entry]);
    return () => change(registered.filter((each) => each !== entry));
  }, [keys, label]);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.closest("input, textarea, select, [role=dialog]") !== null)
  );
}

/** Installs the listener; the returned function takes it away. */
export function listen(): () => void {
  let typed = "";
  let last = 0;
  const onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    const now = performance.now();
    typed = now - last < SEQUENCE_MS && typed !== "" ? `${typed} ${event.key}` : event.key;
    last = now;
    const found =
      registered.find(({ keys }) => keys === typed) ??
      registered.find(({ keys }) => keys === event.key);
    if (found !== undefined) {
      event.preventDefault();
      typed = "";
      found.run();
    }
  };
  window.addEventListener("keydown", onKey);
  return () => window.removeEventListener("keydown", onKey);
}
