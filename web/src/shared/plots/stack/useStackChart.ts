import { useEffect, useRef, useState, type RefObject } from "react";
import type { EChartsType } from "echarts/core";
import type { Scheme } from "#/shared/theme/palette";
import { stackOption, zoomed } from "./option";
import type { Moment, Panel, Range } from "./panel";

type Library = typeof import("../echarts");

interface Drawing {
  panels: readonly Panel[];
  moments: readonly Moment[];
  range: Range;
  scheme: Scheme;
  hidden: ReadonlySet<string>;
}

/** A place in a panel, by its axes. */
export interface Point {
  panel: number;
  at: number;
  value: number;
}

interface StackChart {
  library: Library | undefined;
  width: number;
  /** What is at a pixel of the stack; null between panels. */
  pointAt: (x: number, y: number) => Point | null;
}

/** Keeps the chart in `holder`: drawn anew for new data, per frame only the range for a zoom. */
export function useStackChart(
  holder: RefObject<HTMLElement | null>,
  { panels, moments, range, scheme, hidden }: Drawing,
): StackChart {
  const [library, setLibrary] = useState<Library>();
  const [width, setWidth] = useState(0);
  const chart = useRef<EChartsType | null>(null);
  const latest = useRef(range);
  useEffect(() => {
    latest.current = range;
  });

  useEffect(() => {
    void import("../echarts").then(setLibrary);
  }, []);

  useEffect(() => {
    const element = holder.current;
    if (library === undefined || element === null) return;
    const made = library.init(element, null, { renderer: "canvas" });
    chart.current = made;
    const measure = (): void => {
      made.resize();
      setWidth(element.clientWidth);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    // It reports the first size, too, but not in a tab that is not in view.
    measure();
    return () => {
      observer.disconnect();
      chart.current = null;
      made.dispose();
    };
  }, [library, holder, panels]);

  useEffect(() => {
    if (width === 0) return;
    const view = { range: latest.current, width, scheme };
    chart.current?.setOption(stackOption(panels, moments, view, hidden), { notMerge: true });
    // Not with the next frame: such a tab gets none.
    chart.current?.getZr().flush();
  }, [library, panels, moments, scheme, hidden, width]);

  const [from, to] = range;
  useEffect(() => {
    if (width === 0) return;
    const frame = requestAnimationFrame(() => {
      const { xAxis, series } = zoomed(panels, { range: [from, to], width, scheme });
      const shown = (series as { id: string }[]).filter(({ id }) => !hidden.has(id));
      chart.current?.setOption({ xAxis, series: shown });
    });
    return () => cancelAnimationFrame(frame);
  }, [from, to, panels, width, scheme, hidden]);

  const pointAt = (x: number, y: number): Point | null => {
    const made = chart.current;
    const panel = panels.findIndex((_, index) => made?.containPixel({ gridIndex: index }, [x, y]));
    if (made === null || panel < 0) return null;
    const [at = NaN, value = NaN] = made.convertFromPixel({ gridIndex: panel }, [x, y]);
    return { panel, at, value };
  };
  return { library, width, pointAt };
}
