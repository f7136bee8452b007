import { useEffect, useState, type RefObject } from "react";

export interface Visible {
  first: number;
  /** One after the last. */
  end: number;
}

/** Rows beyond the edges, so that fast scrolling finds them there. */
const BEYOND = 12;
/** The window moves by so many rows at once: most steps of scrolling render nothing. */
const STEP = 6;
/** Taken where nothing has a size, as before the first layout. */
const TALL_PX = 640;

/** As if the rows had no end. */
function inView(top: number, height: number, rowPx: number): Visible {
  const first = Math.floor((top / rowPx - BEYOND) / STEP) * STEP;
  const end = Math.ceil(((top + height) / rowPx + BEYOND) / STEP) * STEP;
  return { first: Math.max(0, first), end };
}

function within({ first, end }: Visible, rows: number): Visible {
  const last = Math.min(rows, end);
  return { first: Math.min(first, last), end: last };
}

export function visibleRows(top: number, height: number, rowPx: number, rows: number): Visible {
  return within(inView(top, height, rowPx), rows);
}

/** Which rows of one height are in view of a box that scrolls. */
export function useVisibleRows(
  box: RefObject<HTMLElement | null>,
  rowPx: number,
  rows: number,
): Visible {
  const [visible, setVisible] = useState<Visible>(() => inView(0, TALL_PX, rowPx));
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const look = (): void => {
      const next = inView(element.scrollTop, element.clientHeight || TALL_PX, rowPx);
      setVisible((before) =>
        before.first === next.first && before.end === next.end ? before : next,
      );
    };
    // It reports the first size, too.
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [box, rowPx]);
  return within(visible, rows);
}
