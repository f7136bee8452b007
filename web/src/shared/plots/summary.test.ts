import { expect, it } from "vitest";
import { csvOf } from "./csv";
import { fiveNumbers } from "./summary";

it("summarises values as numpy and Tukey do", () => {
  expect(fiveNumbers([1, 2, 3, 4, 100])).toEqual({
    low: 1,
    lower: 2,
    median: 3,
    upper: 4,
    high: 4,
  });
  expect(fiveNumbers([7])).toEqual({ low: 7, lower: 7, median: 7, upper: 7, high: 7 });
  // The whiskers' ends are never inside the box.
  expect(fiveNumbers([1.9, 2.23, 2.25, 2.28])?.low).toBeCloseTo(2.1475);
  expect(fiveNumbers([])).toBeNull();
});

it("writes CSV that spreadsheets neither misread nor run", () => {
  const rows = [
    ["a,b", 1.5, null],
    ['say "x"', -2, "=1+1"],
  ];
  expect(csvOf({ columns: ["x", "y", "z"], rows })).toBe(
    'x,y,z\r\n"a,b",1.5,\r\n"say ""x""",-2,\'=1+1\r\n',
  );
});
