/** Whether the server answered the last request. */
import { useSyncExternalStore } from "react";

let lost = false;
const listeners = new Set<() => void>();

/** Called with the outcome of every request. */
export function noteConnection(answered: boolean): void {
  if (lost === !answered) return;
  lost = !answered;
  listeners.forEach((listener) => listener());
}

export function useConnectionLost(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => lost,
  );
}
