import { expect, it } from "vitest";
import { full, relative } from "./format";

const NOW = Date.parse("2026-11-21T10:00:00Z");

it.each([
  ["2026-11-21T09:59:50Z", "just now"],
  ["2026-11-21T10:00:20Z", "now"],
  ["2026-11-21T09:57:00Z", "3 min. ago"],
  ["2026-11-21T05:00:00+00:00", "5 hr. ago"],
  ["2026-11-20T09:00:00Z", "yesterday"],
  ["2026-10-01T09:00:00Z", "1 Oct 2026"],
])("%s is %s", (at, text) => {
  expect(relative(at, NOW)).toBe(text);
});

it("shows a moment in the viewer's zone, here Europe/Berlin", () => {
  expect(full("2026-07-01T22:30:05Z")).toMatch(/^Thu,? 2 Jul(y)? 2026(,| at) 00:30:05 CEST$/);
});
