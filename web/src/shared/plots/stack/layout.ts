/** Pixels of a stack: panels above each other, each under a line for its title and legend. */
import type { Panel } from "./panel";

export const LEFT = 72;
export const RIGHT = 14;
export const HEADER = 26;
const AXIS = 26;
const HEIGHT = 96;

export interface Slot {
  top: number;
  height: number;
}

export function slotsOf(panels: readonly Panel[]): { slots: Slot[]; height: number } {
  const slots: Slot[] = [];
  let top = 0;
  for (const { height = HEIGHT } of panels) {
    slots.push({ top: top + HEADER, height });
    top += HEADER + height + 6;
  }
  return { slots, height: top + AXIS };
}

/** Whether a unit stands in the panel's title and not at each number of its axis. */
export function titled(unit: string): boolean {
  return !["", "s", "bit/s", "bytes", "%"].includes(unit);
}

export function titleOf({ title, unit }: Panel): string {
  return titled(unit) ? `${title}, ${unit}` : title;
}
