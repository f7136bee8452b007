import { expect, it } from "vitest";
import { exceptionsOf, withException, withoutException } from "./exceptions";
import { factorsOf } from "./factors";
import { read } from "./yamlText";

const TEXT = `name: some # mine
factors:
  server.congestion_control: [cubic, bbr]
  clients.0.count: [1, 2]
exclude:
  - {server.congestion_control: bbr, clients.0.count: 2}
replicates: 3
replicates_where:
  - {levels: {clients.0.count: 1}, replicates: 10}
`;

it("tells what is left out, and what is run another number of times", () => {
  const found = exceptionsOf(read(TEXT).value);
  expect(found.map(({ levels, replicates }) => [levels, replicates])).toEqual([
    [
      [
        ["server.congestion_control", "bbr"],
        ["clients.0.count", "2"],
      ],
      null,
    ],
    [[["clients.0.count", "1"]], 10],
  ]);
  expect(exceptionsOf({ exclude: "odd" })).toEqual([]);
});

it("adds one with the levels as they are written, and takes one away with its empty list", () => {
  const { value } = read(TEXT);
  const factors = factorsOf(value);
  const more = withException(TEXT, value, factors, { "clients.0.count": "2" }, 5);
  expect(read(more).value.replicates_where).toEqual([
    { levels: { "clients.0.count": 1 }, replicates: 10 },
    { levels: { "clients.0.count": 2 }, replicates: 5 },
  ]);
  const out = withException(TEXT, value, factors, { "server.congestion_control": "cubic" }, null);
  expect(read(out).value.exclude).toHaveLength(2);
  const [first, second] = exceptionsOf(value);
  if (first === undefined || second === undefined) throw new Error("two were written");
  const without = withoutException(TEXT, value, first);
  expect(read(without).value.exclude).toBeUndefined();
  expect(without).toContain("# mine");
  expect(exceptionsOf(read(withoutException(out, read(out).value, first)).value)).toHaveLength(2);
});
