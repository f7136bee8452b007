/** What happened to paths for a while, as shaded stretches of panels. */
import type { Span } from "#/shared/plots/stack/panel";
import { duration } from "#/shared/units/format";
import type { Experiment } from "../experiment";
import { pathColour, type Drawing } from "./draw";

/** The events of all named paths, in their colours, or of one. */
export function shades({ events }: Experiment, drawing: Drawing, only?: string | null): Span[] {
  return events.flatMap(({ atS, forS, path, what }) => {
    if (path === null || (only !== undefined && path !== only)) return [];
    const name = `${path} ${what}`;
    return [
      {
        from: atS,
        to: atS + forS,
        name,
        label: `${name} for ${duration(forS)}`,
        colour: pathColour(path, drawing),
      },
    ];
  });
}
