import { describe, expect, it } from "vitest";
import { checkTitle, checkValue, commandLines, toleranceText } from "./check";
import { build, refined, thinned } from "./curves/build";
import { dropsByPhase } from "./curves/network";
import { lastOf, type Drawing } from "./curves/draw";
import { readExperiment } from "./experiment";
import { fairShare } from "./fairShare";
import { decisionAt } from "./decision";
import { eventsHeld, momentsOf } from "./moments";
import { shownFirst } from "./panels";
import type { Curve } from "./queries";
import { fetchCommand } from "./replay";
import { excerpt, lastPlace } from "./traceback";
import { partOf, rangeOf } from "./window";

const curve = (kind: string, more: Partial<Curve>): Curve => ({
  kind,
  unit: "",
  shape: "line",
  client: null,
  flow: null,
  path: null,
  t_s: [],
  values: [],
  labels: [],
  samples: more.t_s?.length ?? 0,
  ...more,
});

const experiment = readExperiment(
  {
    duration_s: 100,
    content: { bitrates_bps: [248000, 456000] },
    clients: [
      { player: "bola", start_s: 0, stop_s: null },
      { player: "festive", start_s: 20, stop_s: 60 },
    ],
  },
  [{ at_s: 50, for_s: 1, on: "downlink", loss: 0.5 }],
);

const drawing: Drawing = {
  scheme: "light",
  shown: new Set([1, 2]),
  paths: [],
  until: (client) => experiment.clients[client - 1]?.stopS ?? 100,
};

describe("the fair share", () => {
  const link = { t: [0, 40, 100], y: [8e6, 4e6, 4e6] };

  it("is the link's rate over those who stream", () => {
    expect(fairShare(link, experiment.clients, 100)).toEqual({
      t: [0, 20, 40, 60, 100],
      y: [8e6, 4e6, 2e6, 4e6, 4e6],
    });
  });

  it("is none while nobody streams", () => {
    const late = [{ player: "", startS: 30, stopS: null, source: null }];
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

it("tells what happened, but not who was there from the start", () => {
  const events = (client: number | null, t: number[], labels: string[]): Curve =>
    curve("events", { client, t_s: t, labels });
  const found = momentsOf(
    [
      events(null, [50, 51, 52], ["loss-begins", "loss-ends", "session-opens"]),
      events(1, [0], ["client-starts"]),
      events(2, [20, 60], ["client-starts", "client-stops"]),
    ],
    experiment,
  );
  expect(found.map(({ at, label }) => `${at} ${label}`)).toEqual([
    "20 client 2 joins",
    "50 50\u202f% loss begins",
    "51 loss ends",
    "60 client 2 leaves",
  ]);
});

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
    expect(shownFirst(given.paths)).toContain("rate");
    expect(shownFirst([])).not.toContain("rate");
  });
});

describe("the part asked for", () => {
  it("is nothing more for the whole", () => {
    expect(partOf([0, 95], [0, 100])).toBeNull();
  });

  it("holds the range, and stays when it moves a little", () => {
    const part = partOf([40, 50], [0, 100]);
    expect(part).toEqual([35, 60]);
    expect(partOf([42, 52], [0, 100])).toEqual(part);
  });

  it("comes from an address only where that is a range", () => {
    expect(rangeOf({ from: 30, to: 20 }, [0, 100])).toEqual([0, 100]);
    expect(rangeOf({ from: 90, to: 500 }, [0, 100])).toEqual([0, 100]);
    expect(rangeOf({ to: 20 }, [0, 100])).toEqual([0, 20]);
  });
});

describe("checks", () => {
  it("are told in the unit of their name", () => {
    expect(checkTitle("idle_rtt_s")).toBe("Idle RTT");
    expect(checkValue("idle_rtt_s", 0.1)).toBe("100\u202fms");
    expect(checkValue("congestion_control", ["cubic"])).toBe("cubic");
  });

  it("say how near is near enough", () => {
    const check = { ok: true, asked: 1, applied: 1, measured: 1 };
    expect(toleranceText({ ...check, name: "downlink_rate_bps", tolerance: 0.005 })).toBe(
      "± 0.5 %",
    );
    expect(toleranceText({ ...check, name: "queue_drops_packets", tolerance: 0 })).toBe("exact");
  });

  it("know commands from values", () => {
    expect(commandLines(["sysctl -w a=b"])).toEqual(["sysctl -w a=b"]);
    expect(commandLines([67])).toBeNull();
    expect(commandLines(["cubic"])).toBeNull();
  });
});

it("fetches a run as one archive", () => {
  expect(fetchCommand(7, "https://weir.example", false)).toBe(
    "curl -f https://weir.example/api/v1/runs/7/artifacts.tar | tar -x",
  );
  expect(fetchCommand(7, "https://weir.example", true)).toContain("$WEIR_TOKEN");
});

describe("a traceback", () => {
  const text = [
    "Traceback (most recent call last):",
    '  File "mine.py", line 12, in choose',
    "    return self.best(state)",
    '  File "mine.py", line 7, in best',
    "    return max([])",
    '  File "/usr/lib/python3.11/bisect.py", line 3, in bisect',
    "ValueError: max() arg is an empty sequence",
  ].join("\n");

  it("leads to the last line of one's own file", () => {
    expect(lastPlace(text, ["other.py", "mine.py"])).toEqual({ file: "mine.py", line: 7 });
    expect(lastPlace(text, ["other.py"])).toBeNull();
    expect(lastPlace("", ["mine.py"])).toBeNull();
  });

  it("is shown with the lines around it", () => {
    const lines = excerpt("a\nb\nc\nd\ne\nf", 2);
    expect(lines.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
    expect(lines.filter(({ isWrong }) => isWrong)).toEqual([
      { number: 2, text: "b", isWrong: true },
    ]);
    expect(excerpt("a\nb", 9)).toEqual([]);
  });
});

describe("a click on a segment", () => {
  const curves = [
    curve("level", { client: 1, t_s: [0, 2, 4], values: [0, 3, 1] }),
    curve("segment", { client: 1, t_s: [0, 2, 4], values: [0, 1, 2] }),
    curve("level", { client: 2, t_s: [1, 3, 4.5], values: [2, 2, 0] }),
    curve("segment", { client: 2, t_s: [1, 3, 4.5], values: [0, 1, 1] }),
  ];

  it("finds the decision in force, of the client whose level is nearest", () => {
    const both = new Set([1, 2]);
    expect(decisionAt(curves, both, 2.5, 2.9)).toEqual({ client: 1, segment: 1, level: 3, atS: 2 });
    expect(decisionAt(curves, both, 2.5, 1.9)).toEqual({ client: 2, segment: 0, level: 2, atS: 1 });
    expect(decisionAt(curves, both, 9, 0)).toEqual({ client: 2, segment: 1, level: 0, atS: 4.5 });
  });

  it("finds the first before anything was asked for, and none of those that are not shown", () => {
    expect(decisionAt(curves, new Set([2]), 0.5, 0)?.segment).toBe(0);
    expect(decisionAt(curves, new Set([3]), 2, 0)).toBeUndefined();
    expect(decisionAt(curves.slice(0, 1), new Set([1]), 2, 0)).toBeUndefined();
  });
});
