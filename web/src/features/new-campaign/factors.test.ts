import { expect, it } from "vitest";
import { factorSetting, factorsOf, productOf } from "./factors";
import { variablePaths } from "./schema";

const campaign = {
  experiment: { server: { http: "nginx" }, clients: [{ player: "bba3" }] },
  factors: {
    "server.congestion_control": ["cubic", "illinois"],
    film: { long: { content: { segment: "4s" } }, short: { content: { segment: "1s" } } },
  },
  zip: [{ "clients.0.buffer": ["30s", "60s", "90s"], "content.segments": [10, 20, 30] }],
};

it("shows grids, named levels and zipped lists alike", () => {
  const factors = factorsOf(campaign);
  expect(factors.map(({ name }) => name)).toEqual([
    "server.congestion_control",
    "film",
    "clients.0.buffer",
    "content.segments",
  ]);
  expect(factors[1]?.levels.map(({ text }) => text)).toEqual(["long", "short"]);
  expect(productOf(factors, 5)).toBe("2 × 2 × 3 levels × 5 replicates");
  expect(productOf([], 5)).toBe("");
  expect(productOf(factorsOf({ factors: { duration: ["20s"] } }), 1)).toBe("1 level × 1 replicate");
});

it("knows which factor sets a path, also from above", () => {
  const factors = factorsOf(campaign);
  expect(factorSetting(factors, "content.segment")?.name).toBe("film");
  expect(factorSetting(factors, "server.http")).toBeUndefined();
});

it("can vary what a named path has", () => {
  const inner = { type: "object", properties: { rate: { type: "string" } } };
  const paths = { type: "object", patternProperties: { "^[a-z]+$": inner } };
  const gateway = { type: "object", properties: { paths } };
  const root = { properties: { experiment: { type: "object", properties: { gateway } } } };
  const experiment = { gateway: { paths: { wifi: {}, lte: { rate: "2Mbit/s" } } } };
  expect(variablePaths(root, experiment)).toEqual([
    "gateway.paths.wifi.rate",
    "gateway.paths.lte.rate",
  ]);
});

it("can vary what stands in lists, and plain lists as a whole", () => {
  const item = { type: "object", properties: { at: { type: "string" } } };
  const properties = {
    events: { type: "array", items: item },
    ladder: { type: "array", items: { type: "string" } },
  };
  const root = { properties: { experiment: { type: "object", properties } } };
  const experiment = { events: [{ at: "3s" }, {}], ladder: ["1Mbit/s", "2Mbit/s"] };
  expect(variablePaths(root, experiment)).toEqual([
    "events",
    "events.0.at",
    "events.1.at",
    "ladder",
  ]);
});
