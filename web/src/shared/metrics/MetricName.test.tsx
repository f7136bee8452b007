import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, it } from "vitest";
import { MetricName } from "./MetricName";

it("tells a metric's formula, source, unit and direction at a click", async () => {
  const metric = {
    ...{ name: "loss_rate_percent", title: "Loss rate", unit: "%", scope: "run" as const },
    ...{
      better: "lower" as const,
      formula: "100 * dropped / arrived packets",
      source: "bottleneck record",
    },
  };
  render(<MetricName metric={metric} />, {
    wrapper: ({ children }) => <MantineProvider env="test">{children}</MantineProvider>,
  });
  expect(screen.queryByText("100 * dropped / arrived packets")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Loss rate" }));
  expect(await screen.findByText("100 * dropped / arrived packets")).toBeInTheDocument();
  expect(screen.getByText("bottleneck record")).toBeInTheDocument();
  expect(screen.getByText("Of the run as a whole, in %. Lower is better.")).toBeInTheDocument();
  expect(screen.getByText("loss_rate_percent")).toBeInTheDocument();
  const more = screen.getByRole("link", { name: "All metrics" });
  expect(more).toHaveAttribute("href", "/docs/reference/metrics.html#run-loss_rate_percent");
});
