import { expect, it } from "vitest";
import { seriesLook } from "./series";

it.each(["light", "dark"] as const)("tells 32 series apart in the %s scheme", (scheme) => {
  const looks = Array.from({ length: 32 }, (_, index) => seriesLook(scheme, index));
  expect(new Set(looks.map((look) => JSON.stringify(look))).size).toBe(32);
  expect(looks[0]?.dash).toBeUndefined();
  expect(looks[8]).toMatchObject({ colour: looks[0]?.colour, dash: [6, 3] });
});
