import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { DataTable, type Column } from "./DataTable";

const COLUMNS: readonly Column<string>[] = [
  { name: "Due", from: "md", folded: (row) => `due ${row}`, cell: (row) => `at ${row}` },
  { name: "Name", cell: (row) => `night of ${row}` },
  { name: "Outcome", from: "sm", folded: true, cell: () => <button>show</button> },
  { name: "Seed", from: "sm", cell: () => "7" },
];

/** A window of 390, 800 or 1280 px as media queries see it. */
function show(width: number): void {
  vi.spyOn(window, "matchMedia").mockImplementation((media) => {
    const most = Number(/max-width: ([\d.]+)em/.exec(media)?.[1] ?? 0);
    const matches = width <= 16 * most;
    return Object.assign(new EventTarget(), { media, matches }) as unknown as MediaQueryList;
  });
  render(
    <MantineProvider env="test">
      <DataTable columns={COLUMNS} rows={["Monday"]} keyOf={(row) => row} />
    </MantineProvider>,
  );
}

const heads = (): string[] => screen.getAllByRole("columnheader").map((each) => each.innerHTML);
const cells = (): (string | null)[] =>
  screen.getAllByRole("cell").map(({ textContent }) => textContent);

afterEach(() => vi.restoreAllMocks());

it("has each column to itself where there is room", () => {
  show(1280);
  expect(heads()).toEqual(["Due", "Name", "Outcome", "Seed"]);
  expect(cells()).toEqual(["at Monday", "night of Monday", "show", "7"]);
});

it("folds what has no room into the first of the other columns, once", () => {
  show(800);
  expect(heads()).toEqual(["Name", "Outcome", "Seed"]);
  expect(cells()).toEqual(["night of Mondaydue Monday", "show", "7"]);
});

it("folds all that may on a phone", () => {
  show(390);
  expect(heads()).toEqual(["Name", "Seed"]);
  expect(cells()[0]).toBe("night of Mondaydue Mondayshow");
  expect(screen.getAllByRole("button")).toHaveLength(1);
});
