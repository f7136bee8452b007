import type { CustomSeriesOption } from "echarts/charts";
import { place } from "../dodge";

/** What begins with a category. */
export interface Rule {
  category: number;
  label: string;
  colour: string;
}

/** Pixels above the plot that labels need. */
export const RULE_LABEL_PX = 18;
/** A label may reach so far to either side of its rule. */
const ROOM_PX = 34;

/** A dashed line across the plot at each, with its label above where its neighbours leave room. */
export function rules(name: string, found: readonly Rule[]): CustomSeriesOption {
  return {
    type: "custom",
    name,
    silent: true,
    z: 1,
    // No value of theirs is to widen the other axis.
    encode: { x: 0, y: [] },
    data: found.map(({ category }) => [category]),
    renderItem: ({ coordSys, dataIndex: index }, api) => {
      const rule = found[index];
      if (rule === undefined) return null;
      // The types know no coordinate system's own sizes.
      const { x, y, width, height } = coordSys as unknown as Record<string, number>;
      const [left = 0, top = 0, wide = 0, tall = 0] = [x, y, width, height];
      const { centre } = place(api, rule.category, 0, 1);
      const before = found[index - 1];
      const isFree =
        before === undefined || centre - place(api, before.category, 0, 1).centre > 2 * ROOM_PX;
      const align =
        centre - left < ROOM_PX ? "left" : left + wide - centre < ROOM_PX ? "right" : "center";
      return {
        type: "group",
        children: [
          {
            type: "line",
            shape: { x1: centre, y1: top - 2, x2: centre, y2: top + tall },
            style: { stroke: rule.colour, lineWidth: 1.2, lineDash: [4, 3] },
          },
          {
            type: "text",
            ignore: !isFree,
            style: {
              text: rule.label,
              x: centre,
              y: top - 5,
              align,
              verticalAlign: "bottom",
              fill: rule.colour,
              fontSize: 11,
            },
          },
        ],
      };
    },
  };
}
