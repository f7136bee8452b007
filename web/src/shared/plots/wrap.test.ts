import { expect, it } from "vitest";
import { broken, textWidth, wrapped } from "./wrap";

it("fills a line before it begins the next", () => {
  expect(wrapped([40, 40, 40], 100, 10)).toEqual([[0, 1], [2]]);
  expect(wrapped([40, 50, 1], 100, 10)).toEqual([[0, 1], [2]]);
  expect(wrapped([], 100, 10)).toEqual([[]]);
});

it("leaves nothing out that is wider than the line", () => {
  expect(wrapped([300, 20], 100, 10)).toEqual([[0], [1]]);
});

it("takes longer texts for wider", () => {
  expect(textWidth("client 1 ssthresh")).toBeGreaterThan(textWidth("client 1"));
});

it("breaks a text between words, and within words where there is no other way", () => {
  expect(broken("none", 100)).toEqual(["none"]);
  expect(broken("no shaping at all", 70)).toEqual(["no shaping", "at all"]);
  expect(broken("shaping-of-all", 70)).toEqual(["shaping-of", "-all"]);
  expect(broken("", 70)).toEqual([""]);
  expect(broken("WW", 1)).toEqual(["W", "W"]);
});
