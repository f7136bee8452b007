/** Combinations that are left out, or run another number of times. */
import type { Factor } from "./factors";
import { asTree, typedOf, withValue, without, type Path, type Tree } from "./yamlText";

export interface Exception {
  /** Factor and level, as text. */
  levels: readonly (readonly [string, string])[];
  /** null: left out. */
  replicates: number | null;
  /** Its place in the document. */
  at: Path;
}

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function textOf(levels: unknown): Exception["levels"] {
  return Object.entries(asTree(levels)).map(([factor, level]) => [factor, typedOf(level)]);
}

/** Those left out first, each in the order of the document. */
export function exceptionsOf(campaign: Tree): Exception[] {
  const out = list(campaign.exclude).map((levels, index) => ({
    levels: textOf(levels),
    replicates: null,
    at: ["exclude", index],
  }));
  const often = list(campaign.replicates_where).map((rule, index) => {
    const { levels, replicates } = asTree(rule);
    return {
      levels: textOf(levels),
      replicates: typeof replicates === "number" ? replicates : 0,
      at: ["replicates_where", index],
    };
  });
  return [...out, ...often];
}

/** The text with another one. chosen: factor -> text of its level; replicates null: left out. */
export function withException(
  text: string,
  campaign: Tree,
  factors: readonly Factor[],
  chosen: Readonly<Record<string, string>>,
  replicates: number | null,
): string {
  const levels = Object.fromEntries(
    factors.flatMap(({ name, levels: all, named }) => {
      const found = all.find((level) => level.text === chosen[name]);
      return found === undefined ? [] : [[name, named ? found.text : found.value] as const];
    }),
  );
  return replicates === null
    ? withValue(text, ["exclude", list(campaign.exclude).length], levels)
    : withValue(text, ["replicates_where", list(campaign.replicates_where).length], {
        levels,
        replicates,
      });
}

/** The text without one, and without its list where it was the last. */
export function withoutException(text: string, campaign: Tree, { at }: Exception): string {
  const [key = ""] = at;
  return list(campaign[key]).length === 1 ? without(text, [key]) : without(text, at);
}
