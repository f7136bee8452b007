import { expect, it } from "vitest";
import { factorsOf } from "./factors";
import { optionsAt, whose, type Options } from "./options";
import { alternatives, type JsonSchema } from "./schema";
import { read } from "./yamlText";

const model = (discipline: string, ...own: string[]): JsonSchema => ({
  type: "object",
  properties: {
    discipline: { const: discipline, ...(discipline === "sfq" ? { default: discipline } : {}) },
    limit: { type: "string" },
    ...Object.fromEntries(own.map((key) => [key, { type: "string" }])),
  },
});
const root: JsonSchema = {
  discriminator: { propertyName: "discipline" },
  oneOf: [model("sfq"), model("red", "min", "ecn"), model("codel", "target", "ecn")],
};
const [queue = {}] = alternatives(root, root);

function at(written: string, factors = "{}"): Options {
  const text = `experiment: {gateway: {downlink: {queue: ${written}}}}\nfactors: ${factors}\n`;
  const { value } = read(text);
  return optionsAt(queue, value, factorsOf(value), ["experiment", "gateway", "downlink", "queue"]);
}
const keys = ({ properties }: Pick<Options, "properties">): string[] =>
  Object.keys(properties).sort();

it("are those of the word that is written, or of the one that stands for none", () => {
  expect(keys(at("{discipline: red}"))).toEqual(["discipline", "ecn", "limit", "min"]);
  expect(whose(at("{discipline: red}"))).toBe("the options of red");
  expect(whose(at("{}"))).toBe("the options of sfq");
});

it("are apart where the word has none of them", () => {
  const found = at("{discipline: sfq, min: 5packets, ecn: true}");
  expect(keys(found)).toEqual(["discipline", "limit"]);
  expect(found.strays && keys(found.strays)).toEqual(["ecn", "min"]);
  expect(found.strays?.words).toEqual(["red", "codel"]);
});

it("are what all words share that a factor sets, each level by itself or among others", () => {
  const listed = at("{}", "{gateway.downlink.queue.discipline: [red, codel]}");
  expect(keys(listed)).toEqual(["discipline", "ecn", "limit"]);
  expect(whose(listed)).toBe("what red, codel share");
  const named = "{q: {a: {gateway.downlink.queue.discipline: sfq, server.http: nginx}}}";
  expect(whose(at("{}", named))).toBe("the options of sfq");
});
