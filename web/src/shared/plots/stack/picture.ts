import { INK } from "#/shared/theme/palette";
import type { Table } from "../csv";
import type { ChartOption } from "../echarts";
import type { Dash } from "../series";
import { entriesOf, headerLeft, headerLines, LINE, slotsOf, titleOf, type Entry } from "./layout";
import { stackOption, type View } from "./option";
import type { Moment, Panel } from "./panel";
import { within } from "./window";

const SIGNS = { circle: "●", triangle: "▲", diamond: "◆", rect: "■" } as const;

function sign({ look }: Entry): string {
  if (look === "span") return "▒";
  if ("symbol" in look) return SIGNS[look.symbol];
  return look.line.length === 0 ? "━━" : strokes(look.line);
}

/** Strokes as signs, by their length from so many px on. */
const STROKES = [
  [10, "—"],
  [5, "–"],
  [3, "-"],
  [0, "·"],
] as const;

/** A dash as text, twice where it is of one stroke. */
function strokes(dash: Dash): string {
  const once = dash.flatMap((length, place) => {
    if (place % 2 === 1) return [];
    const stroke = STROKES.find(([from]) => length >= from)?.[1] ?? "";
    return [stroke + ((dash[place + 1] ?? 0) > 2 * length ? "  " : " ")];
  });
  return [...once, ...(once.length === 1 ? once : [])].join("").trimEnd();
}

/** For download: the titles and legends that the page writes as text are in the picture. */
export function pictureOption(
  panels: readonly Panel[],
  moments: readonly Moment[],
  view: View,
  hidden: ReadonlySet<string>,
): ChartOption {
  const ink = INK[view.scheme];
  const { slots } = slotsOf(panels, view.width);
  return {
    ...stackOption(panels, moments, view, hidden),
    backgroundColor: ink.ground,
    title: panels.map((panel, index) => {
      const { top = 0, header = 0 } = slots[index] ?? {};
      const entries = entriesOf(panel, index, view.width);
      return {
        top: top - header,
        left: headerLeft(view.width),
        padding: 0,
        itemGap: 0,
        text: headerLines(panel, entries, view.width)
          .map((line) =>
            line
              .map((entry) =>
                entry === null
                  ? `{title|${titleOf(panel)}}`
                  : `{s${entries.indexOf(entry)}|${sign(entry)}} {name|${entry.name}}`,
              )
              .join("   "),
          )
          .join("\n"),
        textStyle: {
          lineHeight: LINE,
          rich: {
            title: { fontSize: 12, fontWeight: 600, lineHeight: LINE, color: ink.text },
            name: { fontSize: 11, fontWeight: "normal", lineHeight: LINE, color: ink.dim },
            ...Object.fromEntries(
              entries.map(({ colour }, each) => [
                `s${each}`,
                { fontSize: 11, lineHeight: LINE, color: colour },
              ]),
            ),
          },
        },
      };
    }),
  };
}

/** Every sample in view, one row each. */
export function stackTable(panels: readonly Panel[], view: View): Table {
  return {
    columns: ["panel", "series", "t_s", "value", "unit"],
    rows: panels.flatMap((panel) =>
      panel.series
        .flatMap((each) => each.parts ?? [each])
        .flatMap((series) => {
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
