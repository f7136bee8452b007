import { expect, it } from "vitest";
import type { Choices } from "../choices";
import type { JsonSchema } from "../schema";
import { fitting, type Knowledge } from "./complete";

const rate: JsonSchema = { type: "string", examples: ["8Mbit/s"] };
const schema: JsonSchema = {
  type: "object",
  properties: {
    name: { type: "string" },
    experiment: { $ref: "#/$defs/Experiment", description: "What every run has." },
    factors: { type: "object", additionalProperties: { type: "array", items: {} } },
  },
  $defs: {
    Experiment: {
      type: "object",
      properties: {
        server: {
          type: "object",
          properties: {
            http: { type: "string", enum: ["nginx", "apache"] },
            congestion_control: { type: "string" },
          },
        },
        gateway: {
          type: "object",
          properties: {
            rate: { oneOf: [rate, { type: "object", properties: { trace: { type: "string" } } }] },
            queue: { anyOf: [{ $ref: "#/$defs/Queue" }, { type: "null" }] },
          },
        },
        clients: {
          type: "array",
          items: {
            type: "object",
            properties: { player: { type: "string" }, options: { type: "object" } },
          },
        },
      },
    },
    Queue: {
      discriminator: { propertyName: "discipline" },
      oneOf: [{ $ref: "#/$defs/DropTail" }, { $ref: "#/$defs/CoDel" }],
    },
    DropTail: {
      type: "object",
      properties: {
        discipline: { type: "string", const: "drop-tail", default: "drop-tail" },
        limit: { type: "string" },
      },
    },
    CoDel: {
      type: "object",
      properties: {
        discipline: { type: "string", const: "codel" },
        limit: { type: "string" },
        ecn: { anyOf: [{ type: "boolean" }] },
      },
    },
  },
};
const choices: Choices = {
  players: [
    {
      name: "bba3",
      options: [
        { name: "cushion", text: "", kind: "number", default: 1, low: 0, high: null, choices: [] },
      ],
      settings: [],
    },
    { name: "classic1", options: [], settings: [] },
  ],
  congestion_controls: ["cubic", "illinois"],
  metrics: [],
};
const knowledge: Knowledge = { schema, choices };

/** What is offered where | stands. */
function offered(text: string): string[] {
  const found = fitting(knowledge, text.replace("|", ""), text.indexOf("|"));
  return found?.options.map(({ label }) => label) ?? [];
}

it.each([
  ["|", ["name", "experiment", "factors"]],
  ["name: a\n|", ["experiment", "factors"]],
  ["experiment:\n  se|", ["server", "gateway", "clients"]],
  ["experiment:\n  server:\n    |\n  gateway: {}\n", ["http", "congestion_control"]],
  ["experiment:\n  server: {http: |}\n", ["nginx", "apache"]],
  ["experiment:\n  server: {http: nginx, |}\n", ["congestion_control"]],
  ["experiment:\n  server:\n    congestion_control: |\n", ["cubic", "illinois"]],
  ["experiment:\n  gateway:\n    queue: {|}\n", ["discipline", "limit"]],
  ["experiment:\n  gateway:\n    queue: {discipline: codel, |}\n", ["limit", "ecn"]],
  ["experiment:\n  gateway:\n    queue: {discipline: |}\n", ["drop-tail", "codel"]],
  ["experiment:\n  gateway:\n    queue:\n      ecn: |\n", ["true", "false"]],
  ["experiment:\n  gateway:\n    rate: |\n", ["8Mbit/s"]],
  ["experiment:\n  clients:\n    - |\n", ["player", "options"]],
  ["experiment:\n  clients:\n    - {player: |}\n", ["bba3", "classic1"]],
  ["experiment:\n  clients:\n    - {player: bba3, options: {|}}\n", ["cushion"]],
  ["factors:\n  server.http: [nginx, |]\n", ["nginx", "apache"]],
  ["name: |", []],
  ["# na|", []],
])("%j", (text, labels) => {
  expect(offered(text)).toEqual(labels);
});

it("offers the paths that a factor can vary, for each client there is", () => {
  const labels = offered("experiment:\n  clients: [{player: bba3}]\nfactors:\n  |");
  expect(labels).toContain("server.congestion_control");
  expect(labels).toContain("clients.0.player");
  expect(labels).not.toContain("clients.1.player");
});

it("begins a mapping without a space after its colon, a value with one", () => {
  const found = fitting(knowledge, "experiment:\n  server:\n    ", 26)?.options ?? [];
  expect(found.map(({ apply }) => apply)).toEqual(["http: ", "congestion_control: "]);
  const parts = fitting(knowledge, "experiment:\n  ", 14)?.options ?? [];
  expect(parts.map(({ apply }) => apply)).toEqual(["server:", "gateway:", "clients: "]);
});
