import { expect, it } from "vitest";
import { SERIES_COLOURS, STATE_COLOURS } from "./palette";

type Triple = [number, number, number];
type Matrix = [Triple, Triple, Triple];

/** How linear RGB is seen: Machado, Oliveira, Fernandes 2009, table 1, severity 1.0. */
const VISION = {
  all: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
} satisfies Record<string, Matrix>;

/** Cone responses and axes of OKLab: Ottosson 2020. */
const CONES: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
];
const AXES: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
];

/** Of OKLab, where 0.02 is just noticed side by side. */
const APART = 0.095;
/** States stand beside their names, too. */
const STATES_APART = 0.08;

const times = (matrix: Matrix, [x, y, z]: Triple): Triple => {
  const row = ([a, b, c]: Triple) => a * x + b * y + c * z;
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])];
};
const each = ([x, y, z]: Triple, change: (value: number) => number): Triple => [
  change(x),
  change(y),
  change(z),
];

function linear(hex: string): Triple {
  const part = (at: number) => Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return each([part(1), part(3), part(5)], (value) =>
    value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  );
}

function seen(hex: string, vision: Matrix): Triple {
  const shown = each(times(vision, linear(hex)), (value) => Math.min(1, Math.max(0, value)));
  return times(AXES, each(times(CONES, shown), Math.cbrt));
}

function nearest(colours: readonly string[], vision: Matrix): number {
  const points = colours.map((colour) => seen(colour, vision));
  const apart = points.flatMap((a, index) =>
    points.slice(0, index).map((b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])),
  );
  return Math.min(...apart);
}

it.each(Object.entries(VISION))("series are told apart by their colours: %s", (_, vision) => {
  expect(nearest(SERIES_COLOURS.light, vision)).toBeGreaterThan(APART);
  expect(nearest(SERIES_COLOURS.dark, vision)).toBeGreaterThan(APART);
});

it.each(Object.entries(VISION))("states are told apart by their colours: %s", (_, vision) => {
  for (const { pending, queued, ...others } of Object.values(STATE_COLOURS)) {
    expect(nearest([queued, ...Object.values(others)], vision)).toBeGreaterThan(STATES_APART);
    // Both wait: shades of one colour.
    expect(nearest([pending, queued], vision)).toBeGreaterThan(APART / 3);
  }
});

it("is no test that any palette passes", () => {
  const okabeIto = ["#e69f00", "#56b4e9", "#009e73", "#f0e442", "#0072b2", "#d55e00", "#cc79a7"];
  expect(nearest([...okabeIto, "#999999"], VISION.deuteranopia)).toBeLessThan(APART);
});
