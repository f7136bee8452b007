import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { NoAnswer } from "#/api/client";
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

it.each<Error>([
  new NoAnswer("Failed to fetch"),
  new TypeError("Failed to fetch dynamically imported module: /assets/page.js"),
])("tells no answer from a refusal: %s", (error) => {
  render(<ProblemAlert error={error} />, { wrapper: MantineProvider });
  expect(screen.getByRole("alert")).toHaveTextContent("does not answer");
  expect(isPassing(error)).toBe(true);
  expect(isPassing(refusal)).toBe(false);
});

it("does not blame the server for a fault of the page", () => {
  const fault = new TypeError("Cannot read properties of undefined (reading 'flatMap')");
  render(<ProblemAlert error={fault} />, { wrapper: MantineProvider });
  expect(screen.getByRole("alert")).toHaveTextContent("Something went wrong");
  expect(screen.getByRole("alert")).toHaveTextContent("flatMap");
});
