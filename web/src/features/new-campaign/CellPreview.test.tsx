import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { cells } from "#/testing/cells";
import { CellPreview } from "./CellPreview";

it("keeps the last sound cell while there are errors, and says so", () => {
  const { rerender } = render(<CellPreview cell={null} />, { wrapper: MantineProvider });
  expect(screen.getByText(/once the campaign has no errors/)).toBeVisible();
  rerender(<CellPreview cell={cells.whole} />);
  expect(screen.getByText(/server.congestion_control = illinois/)).toBeVisible();
  rerender(<CellPreview cell={null} />);
  expect(screen.getByRole("img")).toHaveAccessibleName(/illinois/);
  expect(screen.getByText(/before the last change/)).toBeVisible();
});
