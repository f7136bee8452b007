/** Many dots as one graphic element of ECharts, under the name of `DOTS`; import it lazily, as that. */
import { graphic } from "echarts/core";
import { DOTS, type DotsShape } from "./marks/dots";

/**
 * No outline is closed: a fill closes it anyway, and Chromium looks through the whole path for each that
 * is. 2,000 triangles take 25 ms closed, as ECharts' own large scatter draws them, and 1 ms so.
 */
const Dots = graphic.extendShape({
  shape: { points: new Float64Array(), corners: [], radius: 0 } satisfies DotsShape,
  buildPath: (path, shape) => {
    const { points, corners, radius } = shape as DotsShape;
    for (let at = 0; at < points.length; at += 2) {
      const x = points[at] ?? NaN;
      const y = points[at + 1] ?? NaN;
      corners.forEach(([right, down], corner) => {
        if (corner === 0) path.moveTo(x + radius * right, y + radius * down);
        else path.lineTo(x + radius * right, y + radius * down);
      });
    }
  },
});

export function registerDots(): void {
  graphic.registerShape(DOTS, Dots);
}
