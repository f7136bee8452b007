import { describe, expect, it } from "vitest";
import { cells } from "#/testing/examples";
import { readCell } from "./model";

describe("a cell read from what is typed", () => {
  it("knows the packets of a queue limit in BDPs", () => {
    expect(readCell(cells[0]?.experiment).queue.limitPackets).toBe(67);
  });

  it("marks what is wrong and what is missing", () => {
    const cell = readCell(cells[1]?.experiment);
    expect(cell.server.http).toEqual({ text: "nginy", state: "wrong" });
    expect(cell.rtt.state).toBe("wrong");
    expect(cell.downlink.rate).toEqual({ text: "8 Mbps", state: "wrong" });
    expect(cell.duration.state).toBe("wrong");
    expect(readCell({}).downlink.rate.state).toBe("missing");
  });

  it("multiplies a rate per client", () => {
    const { downlink } = readCell({
      gateway: { downlink: { rate: "2Mbit/s", per_client: true } },
      clients: [{ player: "bola", count: 3 }],
    });
    expect(downlink).toMatchObject({ rateBps: 6e6, note: "× 3 clients" });
  });

  it.each([null, 1, "x", [], { gateway: 3 }, { clients: [null, 5] }, { gateway: { path: [] } }])(
    "survives %j",
    (experiment) => {
      expect(readCell(experiment).duration.state).toBe("missing");
    },
  );
});
