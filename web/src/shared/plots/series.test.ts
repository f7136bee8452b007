import { expect, it } from "vitest";
import { DASH_OF_NONE, dashBeside, dashOf, seriesLook, type Dash } from "./series";

it.each(["light", "dark"] as const)("tells 64 lines apart in the %s scheme", (scheme) => {
  const looks = Array.from({ length: 64 }, (_, index) => seriesLook(scheme, index));
  const lines = looks.map(({ colour, dash }) => JSON.stringify([colour, dash]));
  const dots = looks.map(({ colour, symbol }) => JSON.stringify([colour, symbol]));
  expect(new Set(lines).size).toBe(64);
  expect(new Set(dots.slice(0, 32)).size).toBe(32);
  expect(looks[0]?.dash).toBeUndefined();
  expect(looks[8]).toMatchObject({ colour: looks[0]?.colour, dash: [6, 3] });
});

it("has a dash for a second line of each, unlike all others to the eye", () => {
  const own = [0, 1, 2, 3].map(dashOf);
  const dashes = [...own, ...own.map(dashBeside), DASH_OF_NONE];
  const length = (dash: Dash): number => dash.reduce((sum, each) => sum + each, 0);
  const inked = (dash: Dash): number =>
    length(dash.filter((_, place) => place % 2 === 0)) / length(dash);
  /** Other strokes in number, in their share of the line, or a quarter longer with their gaps. */
  const differ = (a: Dash = [1], b: Dash = [1]): boolean =>
    a.length !== b.length ||
    Math.abs(inked(a) - inked(b)) >= 0.15 ||
    Math.abs(Math.log(length(a) / length(b))) >= Math.log(1.25);
  dashes.forEach((a, index) =>
    dashes.slice(0, index).forEach((b) => expect([a, b, differ(a, b)]).toEqual([a, b, true])),
  );
  expect(differ([3, 3], [2.8, 2.8])).toBe(false);
});
