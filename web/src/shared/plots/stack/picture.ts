import { INK } from "#/shared/theme/palette";
import type { Table } from "../csv";
import type { ChartOption } from "../echarts";
import { HEADER, LEFT, slotsOf, titleOf } from "./layout";
import { stackOption, type View } from "./option";
import type { Moment, Panel } from "./panel";
import { within } from "./window";

/** For download: the titles and legends that the page writes as text are in the picture. */
export function pictureOption(
  panels: readonly Panel[],
  moments: readonly Moment[],
  view: View,
  hidden: ReadonlySet<string>,
): ChartOption {
  const ink = INK[view.scheme];
  const { slots } = slotsOf(panels);
  return {
    ...stackOption(panels, moments, view, hidden),
    backgroundColor: ink.ground,
    title: panels.map((panel, index) => ({
      top: (slots[index]?.top ?? 0) - HEADER + 2,
      left: LEFT,
      padding: 0,
      itemGap: 0,
      text: [
        `{title|${titleOf(panel)}}`,
        ...panel.series.map((series, each) => `{s${each}|■} {name|${series.name}}`),
      ].join("   "),
      textStyle: {
        rich: {
          title: { fontSize: 12, fontWeight: 600, color: ink.text },
          name: { fontSize: 11, color: ink.dim },
          ...Object.fromEntries(
            panel.series.map(({ colour }, each) => [`s${each}`, { fontSize: 11, color: colour }]),
          ),
        },
      },
    })),
  };
}

/** Every sample in view, one row each. */
export function stackTable(panels: readonly Panel[], view: View): Table {
  return {
    columns: ["panel", "series", "t_s", "value", "unit"],
    rows: panels.flatMap((panel) =>
      panel.series.flatMap((series) => {
        const [first, end] = within(series.t, view.range);
        return Array.from({ length: end - first }, (_, index) => [
          panel.title,
          series.name,
          series.t[first + index] ?? null,
          series.y[first + index] ?? null,
          panel.unit,
        ]);
      }),
    ),
  };
}
