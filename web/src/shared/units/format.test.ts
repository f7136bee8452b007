import { describe, expect, it } from "vitest";
import { count, duration, number, quantity, span } from "./format";

const plain = (text: string): string => text.replaceAll("\u202f", " ");

describe("numbers for people", () => {
  it.each([
    [30000, "30,000"],
    [0, "0"],
  ])("count %d", (value, text) => {
    expect(count(value)).toBe(text);
  });

  it.each([
    [4256000, "bit/s", "4.26 Mbit/s"],
    [999.9e3, "bit/s", "1 Mbit/s"],
    [0.1, "s", "100 ms"],
    [12.345, "s", "12.3 s"],
    [7.5, "%", "7.5 %"],
    [67, "packets", "67 packets"],
    [25, "1/100 s", "25 per 100 s"],
    [null, "s", "–"],
    [NaN, "s", "–"],
  ])("%d %s", (value, unit, text) => {
    expect(plain(quantity(value, unit))).toBe(text);
  });

  it.each([
    [1.632e6, 4.256e6, "1.63 to 4.26 Mbit/s"],
    [248e3, 4.256e6, "248 kbit/s to 4.26 Mbit/s"],
    [1.632e6, 1.632e6, "1.63 Mbit/s"],
  ])("from %d to %d", (low, high, text) => {
    expect(plain(span(low, high, "bit/s"))).toBe(text);
  });

  it.each([
    [0.85, "850 ms"],
    [12.4, "12.4 s"],
    [200, "3 min 20 s"],
    [3599.9, "1 h"],
    [18120, "5 h 2 min"],
    [273600, "3 d 4 h"],
    [null, "–"],
    [Infinity, "–"],
  ])("%d s take %s", (seconds, text) => {
    expect(plain(duration(seconds))).toBe(text);
  });

  it("keeps no more digits than asked", () => {
    expect(number(0.123456)).toBe("0.123");
    expect(number(123456)).toBe("123,456");
    expect(number(1.5e9)).toBe("1.50e9");
  });
});
