import { expect, it } from "vitest";
import { axes, levelQuery, shortFactor } from "./factor";
import { leavesOf } from "./leaves";
import { levelText } from "./text";

it("writes levels as the API does", () => {
  expect(levelText("sfq")).toBe("sfq");
  expect(levelText({ discipline: "sfq", limit: "1bdp" })).toBe("discipline: sfq, limit: 1bdp");
  expect(levelText([{ at: "1s", loss: 0.5 }, true])).toBe('[{"at": "1s", "loss": 0.5}, true]');
});

it("names factors as reports do", () => {
  expect(shortFactor("gateway.shaping.method")).toBe("shaping method");
  expect(shortFactor("server.congestion_control")).toBe("congestion control");
  expect(shortFactor("clients.0.player")).toBe("client 1 player");
  expect(shortFactor("traffic.1.rate")).toBe("traffic 2 rate");
  expect(shortFactor("clients.0.options.safety")).toBe("safety");
  expect(shortFactor("clients.1.options.version")).toBe("client 2 version");
  const rules = "clients.0.options.settings.streaming.abr.rules";
  expect(shortFactor(`${rules}.bolaRule.active`)).toBe("bolaRule active");
  expect(levelQuery({ film: "a" })).toEqual({ "level.film": "a" });
});

it("says what goes down and what across", () => {
  const [shaping, rate] = ["gateway.shaping.method", "gateway.downlink.rate"];
  expect(axes([shaping], [rate])).toBe("↓\u00a0shaping method\u2003→\u00a0downlink rate");
  expect(axes([], [shaping, rate])).toBe("→\u00a0shaping method · downlink rate");
  expect(axes([], [])).toBe("");
});

it("finds all values of a tree, each with its path", () => {
  expect(leavesOf({ a: { b: 1, c: [2] }, "d.e": 3 })).toEqual([
    [["a", "b"], 1],
    [["a", "c"], [2]],
    [["d.e"], 3],
  ]);
});
