import { expect, it } from "vitest";
import { textWidth, wrapped } from "./wrap";

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
