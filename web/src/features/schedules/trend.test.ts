// @vitest-environment node
import { expect, it } from "vitest";
import { svgOf } from "#/shared/plots/echarts";
import { nightNames, trendOption, trendTable, type Trend, type TrendPoint } from "./trend";

const SIZE = { width: 900, height: 260 };
const WORSE = "#c4382f";

function night(number: number, mean: number, mark: TrendPoint["mark"] = ""): TrendPoint {
  const at = `2026-11-0${String(number)}T02:30:00Z`;
  const values = { n: 24, mean, low: mean - 0.1, high: mean + 0.1, replicates: null };
  const compared = { before: null, difference: null, verdict: "no matter" as const, mark };
  const versions = { subjects: { "player.py": `${String(number)}f2a91c0d5e7b8a9` } };
  const lab = { kernel_hash: "k", roles_hash: "r" };
  return { ...values, ...compared, ...versions, ...lab, at, campaign: String(number) };
}

function trend(...points: TrendPoint[]): Trend {
  return { id: 1, schedule: "s", levels: {}, metric: "stall_mean_s", unit: "s", points };
}

function drawn(of: Trend): string {
  return svgOf(trendOption(of, "light", SIZE.width), SIZE);
}

it("draws a dashed line across the chart where a change began, with what it was", () => {
  const steady = [1, 2, 3].map((number) => night(number, 1));
  const changed = drawn(trend(...steady, night(4, 2, "worse"), night(5, 2)));
  expect(changed.match(/stroke-dasharray/g)).toHaveLength(1);
  expect(changed).toContain(">worse<");
  expect(changed).toContain(`stroke="${WORSE}"`);
  const unchanged = drawn(trend(...steady, night(4, 2), night(5, 2)));
  expect(unchanged).not.toContain("stroke-dasharray");
});

it("keeps its scale to what was measured", () => {
  const svg = drawn(trend(night(1, 11), night(2, 11.5, "worse"), night(3, 11, "better")));
  expect(svg).not.toContain(">0 s<");
});

it("joins nights within a segment, and none across a change", () => {
  const lines = (mark: TrendPoint["mark"]) => {
    const svg = drawn(trend(night(1, 1), night(2, 1), night(3, 2, mark), night(4, 2)));
    const path = /<path d="([^"]*)"[^>]*stroke="#3378ce"[^>]*stroke-opacity="0.5"/.exec(svg)?.[1];
    return path?.match(/M/g)?.length;
  };
  expect(lines("")).toBe(1);
  expect(lines("worse")).toBe(2);
});

it("names nights by their day, and by the time where a day has several", () => {
  expect(nightNames([night(1, 1), night(2, 1)])).toEqual(["1 Nov 2026", "2 Nov 2026"]);
  expect(nightNames([night(1, 1), night(1, 1)])[0]).toMatch(/^1 Nov 2026, \d\d:30$/);
});

it("gives the versions of each night", () => {
  const { columns, rows } = trendTable(trend(night(1, 1)));
  expect(rows[0]?.[columns.indexOf("versions")]).toBe("player.py 1f2a91c0d5e7");
});
