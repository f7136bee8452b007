import { describe, expect, it } from "vitest";
import { checkTitle, checkValue, commandLines, toleranceText } from "./check";
import { curve, experiment } from "./curves/examples";
import { decisionAt } from "./decision";
import { readExperiment } from "./experiment";
import { momentsOf } from "./moments";
import type { Curve } from "./queries";
import { fetchCommand } from "./replay";
import { excerpt, lastPlace } from "./traceback";
import { partOf, rangeOf } from "./window";

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

it("tells a player's version, and its settings by their dotted names", () => {
  const settings = {
    debug: { logLevel: 4 },
    streaming: { abr: { rules: { a: { active: true } } } },
  };
  const clients = [
    { player: "dashjs", options: { version: "5.2.0", settings } },
    { player: "bola", options: {} },
    {
      player: "mine/",
      options: { share: 0.7 },
      package: { main: "main.cjs", sha256: "ab", files: {} },
    },
  ];
  const [first, second, third] = readExperiment({ clients }).clients;
  expect(first).toMatchObject({
    player: "dashjs 5.2.0",
    told: [
      ["debug.logLevel", 4],
      ["streaming.abr.rules.a.active", true],
    ],
  });
  expect(second).toMatchObject({ player: "bola", told: null });
  expect(third?.told).toEqual([
    ["main", "main.cjs"],
    ["sha256", "ab"],
    ["share", 0.7],
  ]);
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
