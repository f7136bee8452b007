import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { cells } from "#/testing/cells";
import type { Cell } from "./cell";
import { CellDrawing } from "./CellDrawing";

function drawingOf(cell: Cell): HTMLElement {
  render(<CellDrawing cell={cell} />, { wrapper: MantineProvider });
  return screen.getByRole("img");
}

it("says in words what it shows", () => {
  expect(drawingOf(cells.whole)).toHaveAccessibleName(
    /nginx with illinois; round trip 100.ms; gateway queue sfq of 67.packets = 1.BDP; downlink 8.Mbit\/s; shaping htbm; .*1 × bola/,
  );
});

it("shows the server's numbers, not its own", () => {
  const drawing = drawingOf({
    ...cells.whole,
    downlink: {
      ...cells.whole.downlink,
      rate_bps: 3e6,
      queue: { ...cells.whole.downlink.queue, limit_packets: 41, limit_bdp: 2.5, full_s: 0.164 },
    },
  });
  expect(drawing).toHaveTextContent(/3.Mbit\/s/);
  expect(drawing).toHaveTextContent(/41.packets = 2\.5.BDP/);
  expect(drawing).toHaveTextContent(/drains in 164.ms/);
});

it("tells when a client comes and goes, its buffer and its optimum", () => {
  const drawing = drawingOf(cells.whole);
  expect(drawing).toHaveTextContent(/bola/);
  expect(drawing).toHaveTextContent(/buffer 15.s · 30 to 90.s/);
  expect(drawing).toHaveTextContent(/optimum 1\.63.Mbit\/s/);
});

it("shows the spread of a rate that varies, and no more clients than fit", () => {
  const drawing = drawingOf(cells.crowded);
  expect(drawing).toHaveTextContent(/mean of 2.steps.*≥ 10.Mbit\/s.*≤ 50.Mbit\/s/);
  expect(drawing).toHaveTextContent(/and 6 more/);
  expect(drawing).toHaveTextContent(/0\.1.% loss →/);
});

it("draws a second bottleneck with its queue, its link and its delay", () => {
  const link = {
    ...cells.whole.downlink,
    rate_bps: 12e6,
    queue: { ...cells.whole.downlink.queue, discipline: "codel", limit_packets: 90, limit_bdp: 1 },
  };
  const drawing = drawingOf({ ...cells.whole, upstream: { link, rtt_s: 0.05 } });
  expect(drawing).toHaveTextContent(
    /upstream queue.*codel.*90.packets = 1.BDP.*12.Mbit\/s.*\+ 50.ms/,
  );
  expect(drawing).toHaveAccessibleName(/upstream queue codel of 90.packets = 1.BDP; upstream link/);
  expect(drawing).toHaveTextContent(/gateway queue.*sfq/);
});

it("says of an outage that the carrier is gone", () => {
  const down = { at_s: 30, for_s: 20, down: "carrier", path: "wifi" } as const;
  expect(drawingOf({ ...cells.whole, events: [down] })).toHaveAccessibleName(
    /no carrier on wifi at 30.s for 20.s/,
  );
});

it("draws a link that nothing shapes without a queue", () => {
  const drawing = drawingOf({ ...cells.whole, downlink: null });
  expect(drawing).toHaveTextContent("none: the link is not shaped");
});

it("draws a lane for each flow, and that packets are dropped early, as the server says", () => {
  const drawn = (per_flow: boolean, drops_early: boolean): HTMLElement =>
    drawingOf({
      ...cells.whole,
      downlink: {
        ...cells.whole.downlink,
        queue: { ...cells.whole.downlink.queue, per_flow, drops_early },
      },
    });
  const one = drawn(false, false);
  expect(one.querySelectorAll("[data-part=lane]")).toHaveLength(1);
  expect(one).not.toHaveTextContent("drops before it is full");
  cleanup();
  const fair = drawn(true, true);
  expect(fair.querySelectorAll("[data-part=lane]").length).toBeGreaterThan(1);
  expect(fair).toHaveTextContent("drops before it is full");
});
