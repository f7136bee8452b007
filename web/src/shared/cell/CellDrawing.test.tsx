import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { cells, onlyPath } from "#/testing/cells";
import type { Cell, CellPath } from "./cell";
import { CellDrawing } from "./CellDrawing";

const { downlink } = onlyPath;

/** The first example with another only path. */
function withPath(path: Partial<CellPath>): Cell {
  return { ...cells.whole, paths: [{ ...onlyPath, ...path }] };
}

function drawingOf(cell: Cell): HTMLElement {
  render(<CellDrawing cell={cell} />, { wrapper: MantineProvider });
  return screen.getByRole("img");
}

it("says in words what it shows", () => {
  expect(drawingOf(cells.whole)).toHaveAccessibleName(
    /nginx with illinois; round trip 100.ms; gateway queue sfq of 67.packets = 1.BDP; downlink 8.Mbit\/s; shaping htbm; .*1 × bola/,
  );
});

it("tells of a live film how late its viewers are to be", () => {
  const drawing = drawingOf({ ...cells.whole, film: { ...cells.whole.film, target_latency_s: 3 } });
  expect(drawing).toHaveTextContent(/live, target 3.s/);
  expect(drawing).toHaveAccessibleName(/; live film with a target latency of 3.s; /);
});

it("shows the server's numbers, not its own", () => {
  const drawing = drawingOf(
    withPath({
      downlink: {
        ...downlink,
        rate_bps: 3e6,
        queue: { ...downlink.queue, limit_packets: 41, limit_bdp: 2.5, full_s: 0.164 },
      },
    }),
  );
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

it("tells which version of a player plays", () => {
  const clients = cells.whole.clients.map((each) => ({
    ...each,
    player: "dashjs",
    options: { version: "5.2.0", settings: {} },
  }));
  expect(drawingOf({ ...cells.whole, clients })).toHaveTextContent(/dashjs 5\.2\.0/);
});

it("shows the spread of a rate that varies, and no more clients than fit", () => {
  const drawing = drawingOf(cells.crowded);
  expect(drawing).toHaveTextContent(/mean of 2.steps.*≥ 10.Mbit\/s.*≤ 50.Mbit\/s/);
  expect(drawing).toHaveTextContent(/and 6 more/);
  expect(drawing).toHaveTextContent(/0\.1.% loss →/);
});

it("draws a second bottleneck with its queue, its link and its delay", () => {
  const link = {
    ...downlink,
    rate_bps: 12e6,
    queue: { ...downlink.queue, discipline: "codel", limit_packets: 90, limit_bdp: 1 },
  };
  const drawing = drawingOf(withPath({ upstream: { link, rtt_s: 0.05 } }));
  expect(drawing).toHaveTextContent(
    /upstream queue.*codel.*90.packets = 1.BDP.*12.Mbit\/s.*\+ 50.ms/,
  );
  expect(drawing).toHaveAccessibleName(/upstream queue codel of 90.packets = 1.BDP; upstream link/);
  expect(drawing).toHaveTextContent(/gateway queue.*sfq/);
});

it("says of an outage that the carrier is gone", () => {
  const down = { at_s: 30, for_s: 20, down: "carrier", path: "wifi" } as const;
  expect(drawingOf({ ...cells.whole, events: [down] })).toHaveAccessibleName(
    /wifi no carrier at 30.s for 20.s/,
  );
});

it("draws a link that nothing shapes without a queue", () => {
  const drawing = drawingOf(withPath({ downlink: null }));
  expect(drawing).toHaveTextContent("none: the link is not shaped");
});

it("draws a lane for each flow, and that packets are dropped early, as the server says", () => {
  const drawn = (per_flow: boolean, drops_early: boolean): HTMLElement =>
    drawingOf(
      withPath({ downlink: { ...downlink, queue: { ...downlink.queue, per_flow, drops_early } } }),
    );
  const one = drawn(false, false);
  expect(one.querySelectorAll("[data-part=lane]")).toHaveLength(1);
  expect(one).not.toHaveTextContent("drops before it is full");
  cleanup();
  const fair = drawn(true, true);
  expect(fair.querySelectorAll("[data-part=lane]").length).toBeGreaterThan(1);
  expect(fair).toHaveTextContent("drops before it is full");
});

it("draws a row for each path, with its name, queue, rate and other traffic", () => {
  const drawing = drawingOf(cells.twoPaths);
  const rows = drawing.querySelectorAll("[data-part=path]");
  expect(rows).toHaveLength(2);
  expect(rows[0]).toHaveTextContent(/wifi.*20.ms.*4.Mbit\/s.*drop-tail.*50.packets = 7\.5.BDP/);
  expect(rows[1]).toHaveTextContent(/lte.*60.ms.*2.Mbit\/s.*← 1.Mbit\/s.*3 × udp of 1.Mbit\/s/);
  expect(rows[0]).not.toHaveTextContent("udp");
  expect(drawing).not.toHaveTextContent("shaping");
});

it("joins clients to the paths that they use, backups by dashes, and says who has MPTCP", () => {
  const drawing = drawingOf(cells.twoPaths);
  expect(drawing.querySelectorAll("[data-part=join]")).toHaveLength(2);
  expect(drawing.querySelectorAll("[data-part=backup]")).toHaveLength(1);
  expect(drawing).toHaveTextContent(/bola.?MPTCP.*backup lte/);
  expect(drawing).not.toHaveTextContent(/festive.?MPTCP/);
  // The lines of LTE begin at its row, not at the other's.
  const starts = [...drawing.querySelectorAll("[data-part=join], [data-part=backup]")].map(
    (line) => /^M[\d.]+ ([\d.]+)/.exec(line.getAttribute("d") ?? "")?.[1],
  );
  expect(starts[0]).not.toBe(starts[1]);
  expect(starts[1]).toBe(starts[2]);
});

it("draws a line for each address, also of two on one path", () => {
  const drawing = drawingOf(cells.threePaths);
  expect(drawing.querySelectorAll("[data-part=join]")).toHaveLength(3 + 2 + 1);
  expect(drawing).toHaveTextContent(/upstream queue/);
  expect(drawing).toHaveTextContent("and 6 more");
});

it("tells all paths, who uses them, and what happens where", () => {
  const drawing = drawingOf(cells.twoPaths);
  expect(drawing).toHaveAccessibleName(
    /path wifi: round trip 20.ms, gateway queue drop-tail.*downlink 4.Mbit\/s; path lte: round trip 60.ms.*downlink 2.Mbit\/s/,
  );
  expect(drawing).toHaveAccessibleName(
    /1 × bola with MPTCP on wifi and lte \(backup\), 1 × festive/,
  );
  expect(drawing).toHaveAccessibleName(/other traffic: 3 × udp of 1.Mbit\/s, uplink on lte/);
  expect(drawing).toHaveAccessibleName(/wifi silent at 30.s for 20.s; lte 10.% loss at 1.min/);
});

it("shades what happens to a path for as long as it lasts, with the path's name", () => {
  const drawing = drawingOf(cells.twoPaths);
  const [silent, loss] = drawing.querySelectorAll("[data-part=shade]");
  expect(silent?.parentElement).toHaveTextContent("wifi silent");
  expect(loss?.parentElement).toHaveTextContent(/lte 10.% loss/);
  const widths = [silent, loss].map((shade) => Number(shade?.getAttribute("width")));
  expect((widths[0] ?? 0) / (widths[1] ?? 1)).toBeCloseTo(20 / 5);
});

it("says how many clients are alike, however long their player's name is", () => {
  const [client] = cells.twoPaths.clients;
  const clients = [{ ...client, player: "aggressive-rate-of-mine", count: 12 }] as Cell["clients"];
  expect(drawingOf({ ...cells.twoPaths, clients })).toHaveTextContent(/aggre.*… × 12/);
});

it("moves packets of each client over its own paths, where it is to be live", () => {
  render(<CellDrawing cell={cells.threePaths} live />, { wrapper: MantineProvider });
  const drawing = screen.getByRole("img");
  const joined = drawing.querySelectorAll("[data-part=join], [data-part=backup]").length;
  // To the queue, and from there on.
  expect(drawing.querySelectorAll("[data-part=packets] path")).toHaveLength(2 * joined);
  cleanup();
  expect(drawingOf(cells.threePaths).querySelector("[data-part=packets]")).toBeNull();
});
