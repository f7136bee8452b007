import { useEffect, useRef, useState, type RefObject } from "react";
import { LEFT, RIGHT } from "./layout";
import type { Range } from "./panel";
import { clamp, keyed, pinched, scaled, shifted } from "./zoom";

interface Gestures {
  /** The moment under the pointer, s. */
  hover: number | null;
  /** The stretch being dragged over, s. */
  selection: Range | null;
}

const LEAST_DRAG_PX = 4;

/**
 * A click tells where it was, in pixels of the holder. Dragging selects what to zoom to, with shift it moves; Ctrl and the wheel (or a pinch) zoom about
 * the pointer; two fingers hold what they were put on; a double click shows all; + - arrows and 0 do the same by keyboard.
 */
export function useGestures(
  holder: RefObject<HTMLElement | null>,
  range: Range,
  extent: Range,
  onRange: (range: Range) => void,
  onClick: (x: number, y: number) => void,
): Gestures {
  const [hover, setHover] = useState<number | null>(null);
  const [selection, setSelection] = useState<Range | null>(null);
  const current = useRef({ range, extent, onRange, onClick });
  useEffect(() => {
    current.current = { range, extent, onRange, onClick };
  });

  useEffect(() => {
    const element = holder.current;
    if (element === null) return;
    const fingers = new Map<number, number>();
    let pinch: readonly [number, number] | null = null;
    let drag: { x: number; moment: number; moving: boolean } | null = null;

    const shareAt = (clientX: number): number => {
      const box = element.getBoundingClientRect();
      const share = (clientX - box.left - LEFT) / (box.width - LEFT - RIGHT);
      return Math.min(1, Math.max(0, share));
    };
    const momentAt = (clientX: number): number => {
      const [from, to] = current.current.range;
      return from + shareAt(clientX) * (to - from);
    };
    const timeAt = (event: MouseEvent): number => momentAt(event.clientX);
    const pair = (of: (clientX: number) => number): readonly [number, number] | null => {
      const [a, b] = [...fingers.values()].sort((left, right) => left - right);
      return a === undefined || b === undefined || fingers.size > 2 ? null : [of(a), of(b)];
    };
    const go = (next: Range): void => current.current.onRange(next);

    const down = (event: PointerEvent): void => {
      if (event.button !== 0 || (event.target as HTMLElement).closest("button") !== null) return;
      if (event.pointerType === "touch") {
        // One finger scrolls the page, two pinch.
        fingers.set(event.pointerId, event.clientX);
        pinch = pair(momentAt);
        return;
      }
      drag = { x: event.clientX, moment: timeAt(event), moving: event.shiftKey };
      element.setPointerCapture(event.pointerId);
    };
    const move = (event: PointerEvent): void => {
      if (fingers.has(event.pointerId)) fingers.set(event.pointerId, event.clientX);
      const places = pinch === null ? null : pair(shareAt);
      if (pinch !== null && places !== null) {
        setHover(null);
        if (places[1] > places[0]) go(pinched(pinch, places, current.current.extent));
        return;
      }
      const moment = timeAt(event);
      setHover(moment);
      if (drag === null) return;
      const [from, to] = current.current.range;
      if (drag.moving) {
        const by = drag.moment - moment;
        go(clamp([from + by, to + by], current.current.extent));
      } else if (Math.abs(event.clientX - drag.x) >= LEAST_DRAG_PX) {
        setSelection([Math.min(drag.moment, moment), Math.max(drag.moment, moment)]);
      }
    };
    const up = (event: PointerEvent): void => {
      fingers.delete(event.pointerId);
      pinch = null;
      if (drag !== null && !drag.moving && Math.abs(event.clientX - drag.x) >= LEAST_DRAG_PX) {
        const moment = timeAt(event);
        go(
          clamp(
            [Math.min(drag.moment, moment), Math.max(drag.moment, moment)],
            current.current.extent,
          ),
        );
      }
      if (drag !== null && Math.abs(event.clientX - drag.x) < LEAST_DRAG_PX) {
        const box = element.getBoundingClientRect();
        current.current.onClick(event.clientX - box.left, event.clientY - box.top);
      }
      drag = null;
      setSelection(null);
    };
    const leave = (): void => setHover(null);
    const wheel = (event: WheelEvent): void => {
      const { range: now, extent: all } = current.current;
      if (event.ctrlKey || event.metaKey) {
        event.preventDefault();
        go(scaled(now, timeAt(event), Math.exp(event.deltaY / 300), all));
      } else if (Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
        event.preventDefault();
        go(shifted(now, event.deltaX / 800, all));
      }
    };
    const all = (): void => go(current.current.extent);
    const key = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target !== element) return;
      const next = keyed(event.key, current.current.range, current.current.extent);
      if (next === null) return;
      event.preventDefault();
      go(next);
    };

    element.addEventListener("pointerdown", down);
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerup", up);
    element.addEventListener("pointercancel", up);
    element.addEventListener("pointerleave", leave);
    element.addEventListener("wheel", wheel, { passive: false });
    element.addEventListener("dblclick", all);
    element.addEventListener("keydown", key);
    return () => {
      element.removeEventListener("pointerdown", down);
      element.removeEventListener("pointermove", move);
      element.removeEventListener("pointerup", up);
      element.removeEventListener("pointercancel", up);
      element.removeEventListener("pointerleave", leave);
      element.removeEventListener("wheel", wheel);
      element.removeEventListener("dblclick", all);
      element.removeEventListener("keydown", key);
    };
  }, [holder]);

  return { hover, selection };
}
