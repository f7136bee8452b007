import { describe, expect, it } from "vitest";
import { combinations } from "#/testing/examples";
import { layGrid, statePaths, total } from "./grid";

const CELL = { width: 20, height: 10, gap: 2 };

describe("the grid of combinations", () => {
  it("has every combination in a place of its own", () => {
    const { cells, rows, columns } = layGrid(combinations.large);
    expect(cells).toHaveLength(30_000);
    expect(rows.length * columns.length).toBe(30_000);
    expect(new Set(cells.map(({ row, column }) => `${row} ${column}`)).size).toBe(30_000);
  });

  it("is one cell without factors", () => {
    const grid = layGrid([{ number: 0, levels: {}, counts: { queued: 3 } }]);
    expect(grid.cells).toMatchObject([{ row: 0, column: 0 }]);
  });

  it("tells over which columns each level of the first factor across goes", () => {
    const levels = ["x", "y"].flatMap((a) => [1, 2, 3].map((b) => ({ a, b })));
    const all = levels.flatMap((own) => ["p", "q"].map((row) => ({ row, ...own })));
    const grid = layGrid(all.map((each, number) => ({ number, levels: each, counts: {} })));
    expect(grid.columnFactors).toEqual(["a", "b"]);
    expect(grid.spans).toEqual([
      { name: "x", from: 0, count: 3 },
      { name: "y", from: 3, count: 3 },
    ]);
  });

  it("fills a cell by the shares of its states", () => {
    const counts = { succeeded: 3, failed: 1 };
    const grid = layGrid([{ number: 0, levels: { a: 1 }, counts }]);
    expect(statePaths(grid.cells, CELL)).toEqual([
      { state: "succeeded", d: "M0 0h13.5v8h-13.5z" },
      { state: "failed", d: "M13.5 0h4.5v8h-4.5z" },
    ]);
    expect(total(counts)).toBe(4);
  });

  it("is pinned", () => {
    expect(statePaths(layGrid(combinations.small).cells, CELL)).toMatchSnapshot();
  });
});
