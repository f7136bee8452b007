import { expect, it } from "vitest";
import type { Schema } from "#/api/client";
import { packets, waterfall } from "./packets";

type Curve = Schema<"CurveOut">;

const curve = (kind: string, client: number, t: number[], values: number[]): Curve => ({
  ...{ kind, client, values, t_s: t, unit: "", shape: "line", flow: null, path: null },
  ...{ labels: [], samples: t.length },
});
const look = ({ client }: Curve) => ({ name: `client ${client}`, colour: "#123456" });

it("draws a bar from each segment's request to its last byte", () => {
  const series = waterfall(
    [
      curve("segment", 1, [0, 2, 4], [0, 1, 2]),
      curve("segment", 2, [0.5], [7]),
      curve("arrived", 2, [0.75], [7]),
      curve("arrived", 1, [1, 3.5], [0, 1]),
    ],
    look,
  );
  expect(series.map(({ name }) => name)).toEqual(["client 1", "client 2"]);
  // The third is still on its way.
  expect(series[0]?.parts?.map(({ t, y }) => [t, y])).toEqual([
    [
      [0, 1],
      [0, 0],
    ],
    [
      [2, 3.5],
      [1, 1],
    ],
  ]);
});

it("gives a bar to each time that a segment was asked for", () => {
  const [series] = waterfall(
    [curve("segment", 1, [0, 2], [5, 5]), curve("arrived", 1, [1, 4], [5, 5])],
    look,
  );
  expect(series?.parts?.map(({ t }) => t)).toEqual([
    [0, 1],
    [2, 4],
  ]);
});

it("tells packets that are new, sent again and dropped apart by more than their colour", () => {
  const drawn = packets(
    [
      curve("sequence", 1, [0, 1], [0, 1000]),
      curve("sequence_again", 1, [2], [0]),
      curve("sequence_drops", 1, [0], [0]),
      curve("cwnd", 1, [0], [10]),
    ],
    look,
  );
  expect(drawn.map(({ name, shape, symbol }) => [name, shape, symbol])).toEqual([
    ["client 1", "line", undefined],
    ["client 1 sent again", "dots", "triangle"],
    ["client 1 dropped", "dots", "diamond"],
  ]);
});
