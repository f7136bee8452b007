/** Options of a mapping that a word tells apart: of a queue, by its discipline. */
import { factorSetting, type Factor } from "./factors";
import type { JsonSchema } from "./schema";
import { asTree, typedOf, valueAt, type Path, type Tree } from "./yamlText";

type Properties = Record<string, JsonSchema>;

export interface Options {
  /** Whose they are: the word that is written, or all that a factor sets; empty: no word tells. */
  words: readonly string[];
  properties: Properties;
  /** Written, though not all of the words have them; whose they are. */
  strays: { properties: Properties; words: readonly string[] } | null;
}

/** The words that runs have at a path of the document. */
export function wordsAt(
  campaign: Tree,
  factors: readonly Factor[],
  path: Path,
  otherwise: unknown,
): string[] {
  const inside = path.slice(1).join(".");
  const factor = factorSetting(factors, inside);
  if (factor === undefined) return [typedOf(valueAt(campaign, path) ?? otherwise)];
  const set = factor.levels.map(({ value }) => (factor.named ? asTree(value)[inside] : value));
  return [...new Set(set.filter((each) => typeof each === "string"))];
}

/** The options that stand at a path: those of its word, or what all its words share. */
export function optionsAt(
  schema: JsonSchema,
  campaign: Tree,
  factors: readonly Factor[],
  path: Path,
): Options {
  const { told, properties: all = {} } = schema;
  const nothing = { words: [], properties: all, strays: null };
  if (told === undefined) return nothing;
  const { [told.key]: word = {} } = all;
  const words = wordsAt(campaign, factors, [...path, told.key], word.default).filter(
    (each) => told.models[each] !== undefined,
  );
  const [first, ...others] = words.map((each) => told.models[each]?.properties ?? {});
  if (first === undefined) return nothing;
  const shared = Object.entries(first).filter(([key]) => others.every((each) => key in each));
  const properties = { ...Object.fromEntries(shared), [told.key]: word };
  const written = Object.keys(asTree(valueAt(campaign, path)));
  const strays = Object.entries(all).filter(
    ([key]) => written.includes(key) && !(key in properties),
  );
  const owners = Object.entries(told.models).filter(([, model]) =>
    strays.some(([key]) => key in (model.properties ?? {})),
  );
  return {
    words,
    properties,
    strays:
      strays.length === 0
        ? null
        : { properties: Object.fromEntries(strays), words: owners.map(([each]) => each) },
  };
}

/** Whose they are, in words: `the options of sfq`, `what sfq, red share`. */
export function whose({ words }: Pick<Options, "words">): string {
  if (words.length === 0) return "";
  return words.length === 1 ? `the options of ${words.join("")}` : `what ${words.join(", ")} share`;
}
