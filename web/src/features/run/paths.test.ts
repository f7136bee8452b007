import { describe, expect, it } from "vitest";
import { build, refined } from "./curves/build";
import type { Drawing } from "./curves/draw";
import { curve, drawing } from "./curves/examples";
import { readExperiment } from "./experiment";
import { eventsHeld, momentsOf } from "./moments";
import { shownFirst } from "./panels";
import type { Curve } from "./queries";

describe("a run of several paths", () => {
  const given = readExperiment(
    {
      duration_s: 90,
      clients: [{ player: "bola" }, { player: "bola" }],
      gateway: { name: "wifi", others: [{ name: "lte" }] },
    },
    [
      { at_s: 30, for_s: 20, down: "silent", path: "wifi" },
      { at_s: 60, for_s: 5, down: "carrier", path: "lte" },
      { at_s: 70, for_s: 5, rate_bps: 1e6, on: "downlink", path: "lte" },
    ],
  );
  const seen: Drawing = { ...drawing, shown: new Set([1]), paths: given.paths };
  const both = (kind: string, more: Partial<Curve> = {}): Curve[] =>
    ["wifi", "lte"].map((path, flow) =>
      curve(kind, { path, flow, t_s: [1], values: [1], ...more }),
    );
  const events = (path: string, t_s: number[], labels: string[]): Curve =>
    curve("events", { path, t_s, labels });
  const happened = [
    events(
      "wifi",
      [30, 30.00001, 50, 50.00001],
      ["loss-begins", "loss-begins", "loss-ends", "loss-ends"],
    ),
  ];

  it("tells its paths, and what is asked of them", () => {
    expect(given.paths).toEqual(["wifi", "lte"]);
    expect(given.events.map(({ path, what }) => `${path ?? ""} ${what}`)).toEqual([
      "wifi silent",
      "lte no carrier",
    ]);
  });

  it("names and colours each subflow by its path, the same in every panel", () => {
    const [rate, cwnd] = build(
      ["rate", "cwnd"],
      [...both("sent_rate"), ...both("cwnd", { client: 1 })],
      seen,
      given,
    );
    expect(rate?.title).toBe("Throughput by path");
    expect(rate?.series.map(({ name }) => name)).toEqual(["wifi sent", "lte sent"]);
    expect(cwnd?.series.map(({ name }) => name)).toEqual([
      "client 1 · wifi cwnd",
      "client 1 · lte cwnd",
    ]);
    const colours = rate?.series.map(({ colour }) => colour);
    expect(new Set(colours).size).toBe(2);
    expect(cwnd?.series.map(({ colour }) => colour)).toEqual(colours);
  });

  it("tells the subflows of several clients apart by colour and dash", () => {
    const curves = [1, 2].flatMap((client) => both("srtt", { client }));
    const [panel] = build(["srtt"], curves, { ...seen, shown: new Set([1, 2]) }, given);
    const looks = panel?.series.map(({ colour, dash }) => JSON.stringify([colour, dash]));
    expect(new Set(looks).size).toBe(4);
    expect(new Set(panel?.series.map(({ colour }) => colour)).size).toBe(2);
  });

  it("tells subflows of 16 clients apart, and each one's cwnd from its ssthresh", () => {
    const everyone = Array.from({ length: 16 }, (_, index) => index + 1);
    const curves = everyone.flatMap((client) => [
      ...both("cwnd", { client }),
      ...both("ssthresh", { client }),
    ]);
    const [panel] = build(["cwnd"], curves, { ...seen, shown: new Set(everyone) }, given);
    const looks = panel?.series.map(({ colour, dash }) => JSON.stringify([colour, dash]));
    expect(new Set(looks).size).toBe(64);
  });

  it("has a queue's panel for each path, with the drops and the events there", () => {
    const drops = curve("drops", { path: "lte", t_s: [2], values: [50], labels: ["burst"] });
    const panels = build(["queue"], [...both("queue"), drops], seen, given);
    expect(panels.map(({ title, series }) => [title, series.map(({ name }) => name)])).toEqual([
      ["Queue of wifi", ["wifi length"]],
      ["Queue of lte", ["lte length", "drops: burst"]],
    ]);
    expect(panels.map(({ spans }) => spans?.map(({ from, to, name }) => [from, to, name]))).toEqual(
      [[[30, 50, "wifi silent"]], [[60, 65, "lte no carrier"]]],
    );
  });

  it("has no fair share of several links", () => {
    const curves = [
      ...both("link_rate"),
      curve("throughput", { client: 1, t_s: [1], values: [3] }),
    ];
    const [panel] = build(["throughput"], curves, seen, given);
    expect(panel?.series.map(({ name }) => name)).toEqual(["client 1 raw"]);
  });

  it("tells once what struck both directions, and only what the run came to", () => {
    expect(momentsOf(happened, given).map(({ at, label }) => `${Math.round(at)} ${label}`)).toEqual(
      ["30 wifi: falls silent", "50 wifi: silence ends"],
    );
    expect(eventsHeld(happened, given).map(({ what }) => what)).toEqual(["silent"]);
  });

  it("puts a part's curve in place of that of its path", () => {
    const whole = both("queue", { flow: null, samples: 9 });
    const part = curve("queue", { path: "lte", t_s: [1, 2] });
    expect(refined(whole, [part])).toEqual([whole[0], part]);
  });

  it("shows throughput by path from the start", () => {
    expect(shownFirst(given)).toContain("rate");
    expect(shownFirst({ ...given, paths: [] })).not.toContain("rate");
  });
});
