import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { cells } from "#/testing/examples";
import { CellDrawing } from "./CellDrawing";

it.each(cells)("$name", ({ experiment }) => {
  render(<CellDrawing experiment={experiment} />, { wrapper: MantineProvider });
  const drawing = screen.getByRole("img");
  expect(drawing).toMatchSnapshot();
});

it("says in words what it shows", () => {
  render(<CellDrawing experiment={cells[0]?.experiment} />, { wrapper: MantineProvider });
  expect(screen.getByRole("img")).toHaveAccessibleName(
    /nginx with illinois; round trip 100ms; .*sfq of 1bdp; shaping htbm; downlink 8Mbit\/s/,
  );
});
