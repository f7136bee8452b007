import { describe, expect, it } from "vitest";
import { levelOf, placeOf, read, scalarOf, textOf, withKey, withValue, without } from "./yamlText";

const TEXT = `# why we ask
name: quick
experiment:
  duration: 20s # short
  gateway:
    downlink: {rate: 8Mbit/s, queue: {limit: 1bdp}}
  clients:
    - {player: classic1}
factors:
  server.congestion_control: [cubic, illinois]
`;

const at = (dotted: string): string | null => {
  const place = placeOf(TEXT, dotted);
  return place === null ? null : TEXT.slice(place.from, place.to);
};

describe("a campaign's text", () => {
  it("is read as the server reads it: on and no are words", () => {
    expect(read("a: {on: uplink, b: no, c: 010, d: 1e3}\n").value).toEqual({
      a: { on: "uplink", b: "no", c: 10, d: 1000 },
    });
  });

  it("says where it is no YAML", () => {
    const { errors } = read("a: [\n b");
    expect(errors[0]?.message).toMatch(/end with a \]/);
  });

  it("survives aliases that multiply", () => {
    const bomb =
      "a: &a [1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n";
    expect(read(bomb).errors).toHaveLength(1);
  });

  it("gives a key another name in its place", () => {
    const renamed = withKey(TEXT, ["experiment", "gateway", "downlink"], "uplink");
    expect(renamed).toBe(TEXT.replace("downlink", "uplink"));
    expect(withKey(TEXT, ["experiment", "gateway", "none"], "uplink")).toBe(TEXT);
  });

  it("is changed in place: comments and layout stay", () => {
    const changed = withValue(TEXT, ["experiment", "gateway", "downlink", "rate"], "4Mbit/s");
    expect(changed).toBe(TEXT.replace("8Mbit/s", "4Mbit/s"));
  });

  it("grows mappings and lists that are not there", () => {
    const changed = withValue(TEXT, ["experiment", "events", 0, "at"], "3s");
    expect(read(changed).value.experiment).toMatchObject({ events: [{ at: "3s" }] });
    expect(read(withValue("experiment:\n", ["experiment", "duration"], "3s")).value).toEqual({
      experiment: { duration: "3s" },
    });
  });

  it("loses a key with the mappings that it leaves empty", () => {
    const changed = without(TEXT, ["experiment", "gateway", "downlink", "queue", "limit"]);
    expect(changed).toContain("downlink: {rate: 8Mbit/s}");
    expect(without(TEXT, ["experiment", "nothing"])).toBe(TEXT);
  });

  it("is written with short lists on one line, in the order asked", () => {
    expect(textOf({ seed: 1, factors: { a: [1, 2] }, name: "n" }, ["name", "factors"])).toBe(
      "name: n\nfactors:\n  a: [1, 2]\nseed: 1\n",
    );
  });
});

describe("the place of a problem", () => {
  it.each([
    ["experiment.duration", "20s"],
    ["experiment.gateway.downlink.queue.limit", "1bdp"],
    ["experiment.clients.0.player", "classic1"],
    ["factors.server.congestion_control.1", "illinois"],
    ["experiment.gateway.downlink.queue.nope", "queue"],
    ["experiment.gateway", "gateway"],
    ["nowhere", null],
  ])("%s is at %j", (dotted, text) => {
    expect(at(dotted)).toBe(text);
  });
});

it.each([
  ["3", 3],
  ["3s", "3s"],
  ["true", true],
  ["50%", "50%"],
  ["a: b", "a: b"],
  ["[1", "[1"],
])("%s typed into a field is %j", (typed, value) => {
  expect(scalarOf(typed)).toBe(value);
});

it("takes a mapping or a list for a level, and what is none of them as text", () => {
  expect(levelOf("{discipline: red, limit: 2bdp}")).toEqual({ discipline: "red", limit: "2bdp" });
  expect(levelOf("[1Mbit/s, 2Mbit/s]")).toEqual(["1Mbit/s", "2Mbit/s"]);
  expect(levelOf("3")).toBe(3);
  expect(levelOf("{discipline: red")).toBe("{discipline: red");
});
