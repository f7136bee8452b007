import { describe, expect, it } from "vitest";
import { bdpPackets, parse, si } from "./quantity";

describe("quantities", () => {
  it("are read into SI", () => {
    expect(si("rate", "8Mbit/s")).toBe(8e6);
    expect(si("duration", " 100 ms ")).toBeCloseTo(0.1);
    expect(si("ratio", "7.5%")).toBeCloseTo(0.075);
    expect(parse("limit", "2bdp")).toEqual({ value: 2, unit: "bdp" });
    expect(si("duration", 0)).toBe(0);
  });

  it.each([8, "8", "8Mbps", "-1s", "", null, undefined, {}, "1e9999999s"])("%j is none", (text) => {
    expect(si("rate", text)).toBeNull();
    expect(si("duration", text)).toBeNull();
  });

  it("count packets in a bandwidth-delay product as the lab does", () => {
    expect(bdpPackets(8e6, 0.1)).toBe(67);
    expect(bdpPackets(1, 1e-9)).toBe(1);
  });
});
