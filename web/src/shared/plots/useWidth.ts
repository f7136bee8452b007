import { useLayoutEffect, useRef, useState, type RefObject } from "react";

/** An element's width, px. Measured as soon as it is there: of a tab that is not in view an observer
 * tells nothing, and a chart without a width would be missing from a picture or a print of it. */
export function useWidth<Element extends HTMLElement>(): {
  ref: RefObject<Element | null>;
  width: number;
} {
  const ref = useRef<Element>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const measure = (): void => setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}
