/** The parts of ECharts that plots here use. Import it lazily: it is most of their weight. */
import { CustomChart, LineChart, ScatterChart } from "echarts/charts";
import type { CustomSeriesOption, LineSeriesOption, ScatterSeriesOption } from "echarts/charts";
import {
  GridComponent,
  LegendPlainComponent,
  MarkAreaComponent,
  TitleComponent,
  TooltipComponent,
} from "echarts/components";
import type {
  GridComponentOption,
  LegendComponentOption,
  MarkAreaComponentOption,
  TitleComponentOption,
  TooltipComponentOption,
} from "echarts/components";
import { init, use as register, type ComposeOption } from "echarts/core";
import { CanvasRenderer, SVGRenderer } from "echarts/renderers";
import { registerDots } from "./dotsShape";
import { pngOfCanvas } from "./save";

register([
  CustomChart,
  LineChart,
  ScatterChart,
  GridComponent,
  LegendPlainComponent,
  MarkAreaComponent,
  TitleComponent,
  TooltipComponent,
  CanvasRenderer,
  SVGRenderer,
]);
registerDots();

export type ChartOption = ComposeOption<
  | CustomSeriesOption
  | LineSeriesOption
  | ScatterSeriesOption
  | GridComponentOption
  | LegendComponentOption
  | MarkAreaComponentOption
  | TitleComponentOption
  | TooltipComponentOption
>;

export interface Size {
  width: number;
  height: number;
}

/** The option drawn as an SVG document. */
export function svgOf(option: ChartOption, { width, height }: Size): string {
  const chart = init(null, null, { renderer: "svg", ssr: true, width, height });
  try {
    chart.setOption({ ...option, animation: false });
    return chart.renderToSVGString();
  } finally {
    chart.dispose();
  }
}

/** The option drawn as a PNG of twice the size in pixels. */
export async function pngOf(option: ChartOption, size: Size): Promise<Blob> {
  const canvas = document.createElement("canvas");
  const chart = init(canvas, null, { renderer: "canvas", devicePixelRatio: 2, ...size });
  try {
    chart.setOption({ ...option, animation: false });
    // Drawn by now, rather than with the next frame.
    chart.getZr().flush();
    return await pngOfCanvas(canvas);
  } finally {
    chart.dispose();
  }
}

export { init };
export type { LegendComponentOption };
