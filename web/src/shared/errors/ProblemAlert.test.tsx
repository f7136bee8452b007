import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { isPassing } from "./problem";
import { ProblemAlert } from "./ProblemAlert";

const refusal = {
  type: "/problems/unprocessable",
  title: "The input has errors",
  status: 422,
  detail: "1 problem",
  problems: [
    { path: "gateway.downlink.rate", value: "8", allowed: "a rate", remedy: "add the unit" },
  ],
};

it("names field, value, what is allowed and what to do", () => {
  render(<ProblemAlert error={refusal} />, { wrapper: MantineProvider });
  const alert = screen.getByRole("alert");
  for (const part of ["gateway.downlink.rate", '"8"', "a rate", "add the unit"])
    expect(alert).toHaveTextContent(part);
});

it("tells no answer from a refusal", () => {
  render(<ProblemAlert error={new TypeError("Failed to fetch")} />, { wrapper: MantineProvider });
  expect(screen.getByRole("alert")).toHaveTextContent("does not answer");
  expect(isPassing(new TypeError("Failed to fetch"))).toBe(true);
  expect(isPassing(refusal)).toBe(false);
});
