import { expect, it } from "vitest";
import { curlOf } from "#/shared/copy/formats";
import { askedOf } from "#/shared/curves/part";
import {
  closePart,
  curvesOf,
  MOST_CLIENTS,
  WHOLE,
  momentText,
  panelsOf,
  rangeAround,
  recordName,
} from "./parting";
import type { Curve } from "./queries";

const curve = (kind: string, client: number): Curve => ({
  ...{ kind, client, unit: "s", shape: "line", t_s: [0, 1], values: [0, 2] },
  ...{ flow: null, path: null, labels: [], samples: 2 },
});

it("draws both runs in one panel for each kind, a colour a side and dashes a client", () => {
  const [panel, ...others] = panelsOf(
    [curve("buffer", 1), curve("buffer", 2)],
    [curve("buffer", 1)],
    "light",
  );
  expect(others).toEqual([]);
  expect(panel?.title).toBe("Buffer");
  expect(panel?.series.map(({ name }) => name)).toEqual([
    "A, client 1",
    "A, client 2",
    "B, client 1",
  ]);
  const [first, second, third] = panel?.series ?? [];
  expect(second?.colour).toBe(first?.colour);
  expect(third?.colour).not.toBe(first?.colour);
  expect(third?.dash).toEqual(first?.dash);
  expect(second?.dash).not.toEqual(first?.dash);
});

it("tells the clients of a side apart by their dots, too, and subflows by their names", () => {
  const dots = (client: number): Curve => ({ ...curve("throughput", client), shape: "marks" });
  const flow = (path: string): Curve => ({ ...curve("cwnd", 1), path });
  const [throughput, cwnd] = panelsOf([dots(1), dots(2), flow("wifi"), flow("lte")], [], "light");
  const [first, second] = throughput?.series ?? [];
  expect(second?.symbol).not.toBe(first?.symbol);
  expect(cwnd?.series.map(({ name }) => name)).toEqual(["A, client 1 · wifi", "A, client 1 · lte"]);
});

it("has as many clients at once as a side has looks", () => {
  const everyone = Array.from({ length: MOST_CLIENTS }, (_, index) => index + 1);
  const [panel] = panelsOf(
    everyone.map((client) => curve("buffer", client)),
    [],
    "light",
  );
  expect(new Set(panel?.series.map(({ dash }) => dash)).size).toBe(MOST_CLIENTS);
  expect(new Set(panel?.series.map(({ symbol }) => symbol)).size).toBe(MOST_CLIENTS);
  const several = [curve("buffer", 1), curve("buffer", 7)];
  expect(curvesOf(several, 7).map(({ client }) => client)).toEqual([7]);
  expect(curvesOf(several, null)).toEqual(several);
});

it("is copied as the requests of both, of the close-up with its part of the time", () => {
  expect(curlOf(askedOf([7, 9], WHOLE), "", false)).toMatch(/^for run in '7' '9'; do\n/);
  const close = askedOf([7, 9], closePart([1.5, 4]));
  expect(close.query).toMatchObject({
    from_s: 1.5,
    to_s: 4,
    kinds: expect.arrayContaining(["segment"]) as string[],
  });
  expect(askedOf([7, 9], WHOLE).query).not.toHaveProperty("from_s");
});

it("says when and where, and looks around it inside the run", () => {
  expect(momentText(1.5)).toBe("1.500000\u202fs");
  expect(recordName({ record: "player", client: 2 })).toBe("a segment of client 2");
  expect(recordName({ record: "tcp", client: null })).toBe("an ACK at the server");
  expect(rangeAround(2, [0, 30])).toEqual([0, 12]);
  expect(rangeAround(28, [0, 30])).toEqual([23, 30]);
});
