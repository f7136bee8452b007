/** Where names stand beside their points without covering each other. */
import { textWidth } from "./wrap";

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** Of their font. */
export const NAME_PX = 11;
/** Of textWidth's font. */
const SCALE = NAME_PX / 12;
const LINE_PX = 14;
const ASIDE_PX = 9;
const UP_PX = 17;
const DOWN_PX = 3;

/** Around a point's mark, px. */
export function around(x: number, y: number, radius: number): Box {
  return { left: x - radius, top: y - radius, right: x + radius, bottom: y + radius };
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** The first free place beside a point: right above it, right below, left above or left below; null
 * where none is free within the plot. */
export function placeFor(
  name: string,
  [x, y]: readonly [number, number],
  taken: readonly Box[],
  within: Box,
): Box | null {
  const width = SCALE * textWidth(name);
  const places = [x + ASIDE_PX, x - ASIDE_PX - width].flatMap((left) =>
    [y - UP_PX, y + DOWN_PX].map((top) => ({
      ...{ left, top },
      ...{ right: left + width, bottom: top + LINE_PX },
    })),
  );
  const isFree = (place: Box): boolean =>
    place.left >= within.left &&
    place.right <= within.right &&
    place.top >= within.top &&
    place.bottom <= within.bottom &&
    !taken.some((other) => overlap(place, other));
  return places.find(isFree) ?? null;
}
