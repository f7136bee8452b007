import { describe, expect, it } from "vitest";
import { build, refined, thinned } from "./build";
import { lastOf } from "./draw";
import { curve, drawing, experiment } from "./examples";
import { dropsByPhase } from "./network";
import { readExperiment } from "../experiment";
import { fairShare } from "../fairShare";
import { offered, shownFirst } from "../panels";
import type { Curve } from "../queries";

describe("the fair share", () => {
  const link = { t: [0, 40, 100], y: [8e6, 4e6, 4e6] };

  it("is the link's rate over those who stream", () => {
    expect(fairShare(link, experiment.clients, 100)).toEqual({
      t: [0, 20, 40, 60, 100],
      y: [8e6, 4e6, 2e6, 4e6, 4e6],
    });
  });

  it("is none while nobody streams", () => {
    const late = [{ player: "", startS: 30, stopS: null, source: null, told: null }];
    expect(fairShare({ t: [0], y: [8e6] }, late, 100).y).toEqual([NaN, 8e6, 8e6]);
  });
});

describe("curves", () => {
  it("hold a level until the client leaves", () => {
    const level = curve("level", { shape: "step", client: 2, t_s: [20, 30], values: [0, 1] });
    const [panel] = build(["quality"], [level], drawing, experiment);
    expect(panel?.series[0]).toMatchObject({ name: "client 2", t: [20, 30, 60], y: [0, 1, 1] });
    expect(panel?.names).toHaveLength(2);
  });

  it("end where a client's record does", () => {
    const of = (client: number, ...t_s: number[]): Curve => curve("buffer", { client, t_s });
    const curves = [of(1, 1, 31), of(2, 58), of(1, 2, 30), of(1)];
    expect([1, 2, 3].map((client) => lastOf(curves, client))).toEqual([31, 58, 0]);
  });

  it("show a stall from its begin to the segment that ended it", () => {
    const stall = curve("stalls", { shape: "marks", client: 1, t_s: [35], values: [4] });
    const buffer = curve("buffer", { client: 1, t_s: [0, 1], values: [0, 2] });
    const [panel] = build(["buffer"], [buffer, stall], drawing, experiment);
    expect(panel?.spans).toMatchObject([
      { from: 31, to: 35, name: "client 1 stalls", colour: panel?.series[0]?.colour },
    ]);
  });

  it("of a live film are latencies beside what all players are told", () => {
    const of = (client: number): Curve =>
      curve("latency", { client, t_s: [1, 5, 6], values: [3, 3, 4] });
    const told = (kind: string, value: number): Curve =>
      curve(kind, { shape: "step", t_s: [0, 100], values: [value, value] });
    const [panel] = build(
      ["latency"],
      [of(1), of(2), told("latency_target", 3), told("latency_max", 8)],
      { ...drawing, shown: new Set([2]) },
      experiment,
    );
    expect(panel?.series.map(({ name, y }) => [name, y])).toEqual([
      ["client 2", [3, 3, 4]],
      ["target", [3, 3]],
      ["max", [8, 8]],
    ]);
    expect(new Set(panel?.series.map(({ dash }) => String(dash))).size).toBe(3);
  });

  it("of a live film are playback rates, each held until the client leaves", () => {
    const rate = curve("playback_rate", {
      client: 2,
      shape: "step",
      t_s: [21, 30],
      values: [1, 1.04],
    });
    const [panel] = build(["playback-rate"], [rate], drawing, experiment);
    expect(panel?.series[0]).toMatchObject({ t: [21, 30, 60], y: [1, 1.04, 1.04] });
  });

  it("are offered of live films alone where no others have them", () => {
    const live = readExperiment({ content: { live: { target_latency_s: 3 } } });
    for (const name of ["latency", "playback-rate"] as const) {
      expect(shownFirst(live)).toContain(name);
      expect(offered(experiment)).not.toContain(name);
      expect(shownFirst(experiment)).not.toContain(name);
    }
  });

  it("leave out a segment that the end cut off", () => {
    const raw = curve("throughput", { shape: "step", client: 1, t_s: [1, 100], values: [3e6, 0] });
    const [panel] = build(["throughput"], [raw], drawing, experiment);
    expect(panel?.series[0]?.y).toEqual([3e6]);
  });

  it("tell connections of one client apart", () => {
    const flow = (number: number): Curve =>
      curve("srtt", { client: 1, flow: number, t_s: [1], values: [0.1] });
    const [panel] = build(["srtt"], [flow(0), flow(3)], drawing, experiment);
    expect(panel?.series.map(({ name }) => name)).toEqual([
      "client 1 · flow 0",
      "client 1 · flow 3",
    ]);
  });

  it("leave out who is not shown, and panels without any curve", () => {
    const srtt = curve("srtt", { client: 2, t_s: [1], values: [0.1] });
    expect(
      build(["srtt", "cwnd"], [srtt], { ...drawing, shown: new Set([1]) }, experiment),
    ).toEqual([]);
  });

  it("put drops of all flows together by phase, in order of time", () => {
    const drops = (client: number, t: number[], labels: string[]): Curve =>
      curve("drops", { shape: "marks", client, t_s: t, values: t.map(() => 67), labels });
    const found = dropsByPhase(
      [drops(1, [5, 9], ["burst", "ack-trailing"]), drops(2, [3], ["burst"])],
      drawing,
    );
    expect(found.map(({ name, t }) => [name, t])).toEqual([
      ["drops: burst", [3, 5]],
      ["drops: ack-trailing", [9]],
    ]);
    expect(new Set(found.map(({ colour }) => colour)).size).toBe(2);
    expect(new Set(found.map(({ symbol }) => symbol)).size).toBe(2);
  });

  it("tell cwnd from ssthresh, and raw from smoothed, of 32 clients, by lines and not by hue", () => {
    const everyone = Array.from({ length: 32 }, (_, index) => index + 1);
    const kinds = ["cwnd", "ssthresh", "throughput", "estimate", "acked_rate"];
    const curves = everyone.flatMap((client) =>
      kinds.map((kind) =>
        curve(kind, {
          client,
          shape: kind === "estimate" ? "step" : "line",
          t_s: [1],
          values: [1],
        }),
      ),
    );
    const all = { ...drawing, shown: new Set(everyone) };
    for (const { series } of build(["cwnd", "throughput"], curves, all, experiment)) {
      const looks = series.map(({ colour, dash, shape, symbol }) =>
        JSON.stringify([colour, shape === "dots" ? symbol : [dash]]),
      );
      expect(new Set(looks).size).toBe(series.length);
    }
  });

  it("of a part replace those of the whole that they belong to", () => {
    const whole = [
      curve("cwnd", { client: 1, flow: 0, t_s: [1], samples: 9 }),
      curve("level", { client: 1, t_s: [1] }),
    ];
    const part = [curve("cwnd", { client: 1, flow: 0, t_s: [1, 2, 3] })];
    expect(thinned(whole)).toEqual(["cwnd"]);
    expect(refined(whole, part)).toEqual([part[0], whole[1]]);
  });
});
