/** Where a mark of one of several series stands within its category's band. */
import type { CustomSeriesRenderItemAPI } from "echarts/types/dist/shared";

const FILLED = 0.78;

interface Place {
  /** Pixels. */
  centre: number;
  width: number;
  y: (value: number) => number;
}

export function place(
  api: CustomSeriesRenderItemAPI,
  category: number,
  series: number,
  of: number,
): Place {
  const size = api.size?.([1, 0]);
  const band = Array.isArray(size) ? (size[0] ?? 0) : (size ?? 0);
  const width = (band * FILLED) / of;
  const middle = api.coord([category, 0])[0] ?? 0;
  return {
    centre: middle - (band * FILLED) / 2 + (series + 0.5) * width,
    width: Math.min(width, 64),
    y: (value) => api.coord([category, value])[1] ?? 0,
  };
}
