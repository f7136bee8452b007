import { expect, it } from "vitest";
import { GIGABYTE, limitOf, slugOf, typedLimit } from "./limits";
import { rolesUpTo } from "./roles";
import { standing } from "./standing";

const NOW = Date.parse("2026-11-21T10:00:00Z");

it.each([
  [null, null, "active"],
  [null, "2026-11-21T10:00:01Z", "active"],
  [null, "2026-11-21T10:00:00Z", "expired"],
  ["2026-11-20T10:00:00Z", "2026-11-20T11:00:00Z", "revoked"],
])("a token revoked at %s that expires at %s is %s", (revoked_at, expires_at, state) => {
  expect(standing({ revoked_at, expires_at }, NOW)).toBe(state);
});

it("offers no role above the user's own", () => {
  expect(rolesUpTo("submit").map(({ value }) => value)).toEqual(["read", "submit"]);
  expect(rolesUpTo(undefined)).toEqual([]);
});

it("takes an empty field as no limit, and zero as zero", () => {
  expect(limitOf("")).toBeNull();
  expect(limitOf(0)).toBe(0);
  expect(limitOf("1.5", GIGABYTE)).toBe(1_500_000_000);
  expect(typedLimit(null)).toBe("");
  expect(typedLimit(2e9, GIGABYTE)).toBe(2);
});

it("makes of a name what may stand in an address", () => {
  expect(slugOf("  QoE Lab: Zürich ")).toBe("qoe-lab-zurich");
});
