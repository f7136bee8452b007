/** Where a campaign names one of its paths. */
import { asTree, type Path, type Tree } from "./yamlText";

export interface Mention {
  /** Its place in the document. */
  at: Path;
  /** What stands there with the path's other name. */
  to: string;
  /** A key of a mapping is to change; else a value. */
  isKey: boolean;
}

/** Within the experiment, what holds the names of paths. */
const HOLDS_NAMES = /^((traffic|events)\.[^.]+\.path|clients\.[^.]+\.(paths|backup)\.[^.]+)$/;
const PATHS = ["gateway", "paths"];

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Those of a path; a key comes after what it holds, whose places begin with it as it is. */
export function mentions(campaign: Tree, name: string, next: string): Mention[] {
  /** A key, or what is written like one: gateway.paths.lte.rtt.mean below nothing. */
  const dotted = (key: string, at: Path, below: readonly string[], isKey: boolean): Mention[] => {
    const own = key.split(".");
    const steps = [...below, ...own];
    const place = PATHS.length - below.length;
    if (place < 0 || PATHS.some((step, index) => steps[index] !== step) || own[place] !== name)
      return [];
    return [{ at, to: own.with(place, next).join("."), isKey }];
  };

  /** below: the steps that lead from the experiment to the value. */
  const inside = (value: unknown, at: Path, below: readonly string[]): Mention[] => {
    if (Array.isArray(value))
      return value.flatMap((one, index) => inside(one, [...at, index], [...below, `${index}`]));
    if (value === name && HOLDS_NAMES.test(below.join(".")))
      return [{ at, to: next, isKey: false }];
    return Object.entries(asTree(value)).flatMap(([key, inner]) => [
      ...inside(inner, [...at, key], [...below, ...key.split(".")]),
      ...dotted(key, [...at, key], below, true),
    ]);
  };

  const inFactors = (factors: unknown, at: Path): Mention[] =>
    Object.entries(asTree(factors)).flatMap(([factor, levels]) => {
      const here = [...at, factor];
      const found = Array.isArray(levels)
        ? levels.flatMap((level, index) => inside(level, [...here, index], factor.split(".")))
        : Object.entries(asTree(levels)).flatMap(([level, sets]) =>
            inside(sets, [...here, level], []),
          );
      return [...found, ...dotted(factor, here, [], true)];
    });

  const searched = asTree(campaign.search).factor;
  return [
    ...inside(campaign.experiment, ["experiment"], []),
    ...inFactors(campaign.factors, ["factors"]),
    ...list(campaign.zip).flatMap((group, index) => inFactors(group, ["zip", index])),
    ...list(campaign.exclude).flatMap((levels, index) => inside(levels, ["exclude", index], [])),
    ...list(campaign.replicates_where).flatMap((rule, index) =>
      inside(asTree(rule).levels, ["replicates_where", index, "levels"], []),
    ),
    ...(typeof searched === "string" ? dotted(searched, ["search", "factor"], [], false) : []),
  ];
}
