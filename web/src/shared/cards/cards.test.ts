import { expect, it } from "vitest";
import { subjectOf } from "./subject";
import { numbersOf, pictureOf } from "./view";

const CAMPAIGN = "6f0d0000-0000-4000-8000-000000000002";
const OTHER = "6f0d0000-0000-4000-8000-000000000003";

it.each([
  [`/teams/qoe/campaigns/${CAMPAIGN}/results`, {}, { campaigns: [CAMPAIGN], runs: [] }],
  ["/teams/qoe/runs/7", {}, { campaigns: [], runs: [7] }],
  ["/teams/qoe/compare", { a: CAMPAIGN, b: OTHER }, { campaigns: [CAMPAIGN, OTHER], runs: [] }],
  ["/teams/qoe/compare/runs", { a: 7, b: 9 }, { campaigns: [], runs: [7, 9] }],
  ["/teams/qoe/compare", {}, null],
  ["/teams/qoe/campaigns/new", {}, null],
  ["/teams/qoe/schedules/1", {}, null],
])("%s %j shows %j", (path, search, subject) => {
  expect(subjectOf(path, search)).toEqual(subject);
});

it("keeps numbers that JSON can hold, row by row as wide as the columns", () => {
  const table = { columns: ["a", "b"], rows: [[1, "x".repeat(400)], [NaN], [null, Infinity]] };
  expect(numbersOf(table)?.rows).toEqual([
    [1, "x".repeat(300)],
    [null, null],
    [null, null],
  ]);
  const rows = Array.from({ length: 2_001 }, () => [1]);
  expect(numbersOf({ columns: ["a"], rows })).toBeNull();
});

it("keeps a picture as SVG, else as PNG, else not at all", async () => {
  const of = (svg: number, png: number) => ({
    svg: () => Promise.resolve("é".repeat(svg / 2)),
    png: () => Promise.resolve(new Blob(["p".repeat(png)])),
  });
  const small = await pictureOf(of(4, 4));
  expect(small).toEqual({ type: "image/svg+xml", base64: btoa("\xc3\xa9\xc3\xa9") });
  expect((await pictureOf(of(1_000_002, 3)))?.base64).toBe(btoa("ppp"));
  expect(await pictureOf(of(1_000_002, 1_000_001))).toBeNull();
});
