// @vitest-environment node
import { describe, expect, it } from "vitest";
import { stack } from "#/testing/examples";
import { entriesOf, GAP, headerLeft, headerLines, slotsOf } from "./layout";
import type { Panel } from "./panel";

const clients: Panel = {
  title: "cwnd, ssthresh",
  unit: "segments",
  series: Array.from({ length: 24 }, (_, index) => ({
    name: `client ${(index >> 1) + 1} ${index % 2 ? "ssthresh" : "cwnd"}`,
    t: [],
    y: [],
    shape: "line",
    colour: "#000",
  })),
};

describe("a panel's header", () => {
  it.each([390, 1280, 1920])("holds every entry within %i px", (width) => {
    const entries = entriesOf(clients, 0, width);
    const lines = headerLines(clients, entries, width);
    expect(lines.flat().filter((entry) => entry !== null)).toEqual(entries);
    for (const line of lines) {
      const taken = line.reduce((sum, entry) => sum + (entry?.width ?? 0) + GAP, 0);
      expect(taken).toBeLessThanOrEqual(width - headerLeft(width) + GAP);
    }
  });

  it("has two clients' names on a line of a phone", () => {
    const lines = headerLines(clients, entriesOf(clients, 0, 326), 326);
    expect(lines.length).toBe(13);
  });

  it("pushes the plots below it down", () => {
    const [wide, narrow] = [1280, 390].map((width) => slotsOf([clients, clients], width));
    expect(narrow?.height).toBeGreaterThan(wide?.height ?? 0);
    for (const { slots } of [wide, narrow].flatMap((each) => each ?? [])) {
      const [first, second] = slots;
      expect((second?.top ?? 0) - (second?.header ?? 0)).toBeGreaterThanOrEqual(
        (first?.top ?? 0) + (first?.height ?? 0),
      );
    }
  });

  it("names whose stalls are drawn, each once", () => {
    const [quality] = stack.panels;
    const spans = quality?.spans ?? [];
    const again = { ...(quality ?? clients), spans: [...spans, ...spans] };
    expect(
      entriesOf(again, 0, 1280).flatMap(({ id, name }) => (id === null ? [name] : [])),
    ).toEqual(["client 2 stalls", "client 1 stalls"]);
  });
});
