import type { BarsData } from "#/shared/plots/bars";
import type { ValuesData } from "#/shared/plots/boxes";
import type { Panel } from "#/shared/plots/stack/panel";
import type { Combination, Counts } from "#/shared/states/grid";
import { seriesColour } from "#/shared/theme/palette";

/** Numbers in [0, 1) that are the same every time (mulberry32). */
export function drawer(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function grid(factors: Record<string, readonly string[]>, seed: number): Combination[] {
  const draw = drawer(seed);
  const combine = Object.entries(factors).reduce<Record<string, string>[]>(
    (sofar, [factor, levels]) =>
      sofar.flatMap((one) => levels.map((level) => ({ ...one, [factor]: level }))),
    [{}],
  );
  return combine.map((levels, number) => {
    const done = number / combine.length < 0.6;
    const failed = draw() < 0.06 ? 2 : 0;
    const counts: Counts = done
      ? { succeeded: 10 - failed, failed, invalid: draw() < 0.05 ? 1 : 0 }
      : number / combine.length < 0.66
        ? { succeeded: 4, running: 2, queued: 4 }
        : { queued: 10 };
    return { number, levels, counts };
  });
}

const many = (count: number, of: (index: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => of(index));

export const combinations = {
  small: grid(
    {
      "gateway.shaping.method": ["none", "htbm", "rwtm"],
      "server.congestion_control": ["cubic", "illinois", "bbr", "vegas", "reno", "westwood"],
      "clients.0.player": ["bola", "festive"],
    },
    1,
  ),
  large: grid(
    {
      "gateway.downlink.rate": many(50, (index) => `${index + 1}Mbit/s`),
      "gateway.path.rtt.mean": many(20, (index) => `${10 * index + 10}ms`),
      "gateway.downlink.queue.limit": many(30, (index) => `${index + 1}packets`),
    },
    2,
  ),
};

const shapings = ["none", "htbm", "rwtm"];
const controls = ["cubic", "illinois", "bbr", "vegas"];
const means = (row: number, column: number): number => 12 + 5 * row - 1.7 * column * row;

export const bars: BarsData = {
  metric: "instability",
  unit: "%",
  categories: controls,
  series: shapings.map((name, column) => ({
    name,
    cells: controls.map((_, row) => ({
      mean: means(row, column),
      ciLow: means(row, column) - 1 - row / 3,
      ciHigh: means(row, column) + 1 + row / 3,
      n: 30,
      distinct: 30,
      paper: row < 3 ? means(row, column) * 1.1 : null,
    })),
  })),
};

/** Of each control the last shaping differs, and of some the one between. */
export const contrasted: BarsData = {
  ...bars,
  contrasts: controls.flatMap((control, row) =>
    [1, 2].flatMap((column) =>
      column === 1 && row % 2 === 0
        ? []
        : [
            {
              from: [row, 0] as const,
              to: [row, column] as const,
              isBetter: row === 3 ? null : row % 2 === 0,
              text: `${control} · ${shapings[column]} against none: −2 %, p < 0.001, better`,
            },
          ],
    ),
  ),
};

const runsOf = (row: number): number[] =>
  Array.from({ length: 30 }, (_, index) => 30 * row + index + 1);

export const values: ValuesData = {
  metric: "mean bitrate",
  unit: "bit/s",
  categories: controls,
  series: shapings.slice(0, 2).map((name, column) => {
    const draw = drawer(column + 7);
    return {
      name,
      cells: controls.map((_, row) =>
        Array.from({ length: 30 }, () => 1e5 * (means(row, column) + 4 * (draw() + draw() - 1))),
      ),
      runs: controls.map((_, row) => runsOf(row)),
    };
  }),
};

const SAMPLES = 180_000;
const LENGTH_S = 180;

function series(seed: number, of: (at: number, draw: () => number) => number) {
  const draw = drawer(seed);
  const t = Float64Array.from(
    { length: SAMPLES / 4 },
    (_, index) => (index * LENGTH_S * 4) / SAMPLES,
  );
  return { t, y: t.map((at) => of(at, draw)), shape: "line" as const };
}

const saw = (at: number, period: number): number => (at % period) / period;
const colour = (index: number): string => seriesColour("light", index);

const panels: Panel[] = [
  {
    title: "Quality",
    unit: "",
    names: ["248 kbit/s", "456 kbit/s", "928 kbit/s", "1632 kbit/s", "4256 kbit/s"],
    include: [0, 4],
    series: [0, 1].map((client) => {
      const draw = drawer(client + 3);
      const t = Array.from({ length: 90 }, (_, index) => 2 * index + client);
      return {
        name: `client ${client + 1}`,
        t,
        y: t.map(() => Math.floor(draw() * 3) + 2 * (1 - client)),
        shape: "step" as const,
        colour: colour(client),
      };
    }),
    spans: [
      {
        from: 31,
        to: 35,
        name: "client 2 stalls",
        label: "client 2 stalls for 4 s",
        colour: colour(1),
      },
      {
        from: 120,
        to: 121.5,
        name: "client 1 stalls",
        label: "client 1 stalls for 1.5 s",
        colour: colour(0),
      },
    ],
  },
  {
    title: "cwnd",
    unit: "segments",
    include: [0],
    series: [
      {
        ...series(1, (at, draw) => 20 + 40 * saw(at, 7) + draw()),
        name: "client 1",
        colour: colour(0),
      },
      {
        ...series(2, (at, draw) => 15 + 30 * saw(at, 9) + draw()),
        name: "client 2",
        colour: colour(1),
      },
    ],
  },
  {
    title: "srtt",
    unit: "s",
    include: [0],
    series: [
      {
        ...series(3, (at, draw) => 0.1 + 0.06 * saw(at, 7) + 0.01 * draw()),
        name: "client 1",
        colour: colour(0),
      },
    ],
  },
  {
    title: "Queue",
    unit: "packets",
    include: [0],
    series: [
      {
        ...series(4, (at, draw) => Math.floor(60 * saw(at, 7) + 7 * draw())),
        name: "length",
        colour: colour(2),
      },
      {
        name: "drops",
        t: Array.from({ length: 25 }, (_, index) => 7 * index + 6.9),
        y: Array.from({ length: 25 }, () => 66),
        shape: "dots",
        colour: colour(6),
      },
    ],
  },
];

/** A connection of 200,000 packets, one in 100 of which is dropped and sent again. */
export const sequence = ((): { panels: Panel[]; extent: readonly [number, number] } => {
  const count = 200_000;
  const t = Float64Array.from({ length: count }, (_, index) => index / 1_000);
  const y = t.map((at) => at * 1_448_000);
  const lost = t.filter((_, index) => index % 100 === 0);
  const [colour, symbol] = ["#3b82c4", "triangle" as const];
  const dots = { shape: "dots" as const, colour, y: lost.map((at) => at * 1_448_000) };
  const series: Panel["series"] = [
    { name: "client 1", t, y, shape: "line", colour },
    { name: "client 1 sent again", t: lost.map((at) => at + 0.1), ...dots, symbol },
    { name: "client 1 dropped", t: lost, ...dots, symbol: "diamond" },
  ];
  const panels = [{ title: "Sequence numbers", unit: "bytes", height: 220, series }];
  return { panels, extent: [0, count / 1_000] };
})();

export const stack = {
  panels,
  moments: [
    { at: 30, label: "client 2 joins" },
    { at: 60, label: "50% loss for 1 s" },
  ],
  extent: [0, LENGTH_S] as const,
};
