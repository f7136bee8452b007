import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactElement, ReactNode } from "react";
import { expect, it, vi } from "vitest";
import type { Schema } from "#/api/client";
import { serve } from "#/testing/platform";
import { Quotas } from "./Quotas";
import { TeamForm } from "./TeamForm";

const team: Schema<"TeamOut"> = {
  id: "6f0d0000-0000-4000-8000-000000000003",
  slug: "qoe",
  name: "QoE lab",
  role: "admin",
  created_at: "2026-11-21T09:00:00Z",
};
const quota: Schema<"QuotaOut"> = {
  max_running: 8,
  running: 2,
  max_stored_bytes: 2e9,
  stored_bytes: 1.9e9,
  max_runs_per_campaign: null,
  max_film_h: 100,
  open_film_h: 25,
  share: 3,
};

function Around({ children }: { children: ReactNode }): ReactElement {
  return (
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
    </MantineProvider>
  );
}

it("shows of each quota what is used, and of how much", async () => {
  serve({ "GET /api/v1/teams/qoe/quota": () => quota });
  render(<Quotas team="qoe" />, { wrapper: Around });
  const bar = (name: string): Promise<HTMLElement> => screen.findByRole("progressbar", { name });
  expect(await bar("Runs at a time: 25 % used")).toBeVisible();
  expect(await bar("Stored: 95 % used")).toBeVisible();
  expect(await bar("Film in campaigns that are not over: 25 % used")).toBeVisible();
  expect(screen.getAllByRole("progressbar")).toHaveLength(3);
  expect(screen.getByText("Runs in one campaign").parentElement).toHaveTextContent(
    "Runs in one campaignno limit",
  );
  expect(screen.getByText("Share").parentElement).toHaveTextContent("Share3");
});

it("changes the quotas that are typed, and takes an emptied field as no limit", async () => {
  const told: unknown[] = [];
  serve({
    "PATCH /api/v1/teams/qoe": async (request) => {
      told.push(await request.json());
      return team;
    },
  });
  const close = vi.fn();
  render(<TeamForm team={team} quota={quota} onClose={close} />, { wrapper: Around });
  const field = (name: string): HTMLElement => screen.getByRole("textbox", { name });
  expect(field("Stored")).toHaveValue("2 GB");
  expect(field("Runs in one campaign")).toHaveValue("");
  await userEvent.clear(field("Runs at a time"));
  await userEvent.clear(field("Stored"));
  await userEvent.type(field("Stored"), "1.5");
  await userEvent.clear(field("Film in campaigns that are not over"));
  await userEvent.type(field("Film in campaigns that are not over"), "0");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await vi.waitFor(() => expect(close).toHaveBeenCalled());
  expect(told).toEqual([
    {
      name: "QoE lab",
      max_running: null,
      max_stored_bytes: 1.5e9,
      max_runs_per_campaign: null,
      max_film_h: 0,
      share: 3,
    },
  ]);
});

it("says at its field what is wrong with a quota", async () => {
  const wrong = { path: "max_running", value: "9000", allowed: "0 to 4096", remedy: "" };
  serve({
    "PATCH /api/v1/teams/qoe": () =>
      Response.json(
        { type: "/problems/x", title: "Invalid", status: 422, detail: "", problems: [wrong] },
        { status: 422 },
      ),
  });
  render(<TeamForm team={team} quota={quota} onClose={vi.fn()} />, { wrapper: Around });
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  const field = screen.getByRole("textbox", { name: "Runs at a time" });
  await vi.waitFor(() => expect(field).toBeInvalid());
  expect(field).toHaveAccessibleDescription(/0 to 4096/);
});
