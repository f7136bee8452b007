/** What a campaign varies, as chips show it. */
import { asTree, type Path, type Tree } from "./yamlText";

export interface Factor {
  /** A dotted path in the experiment, or a name of the user's own. */
  name: string;
  /** A level's text and, in a list, its value; a level with a name sets several paths. */
  levels: { text: string; value: unknown }[];
  /** Paths that it sets. */
  paths: string[];
  /** Levels have names, and each sets paths. */
  named: boolean;
  /** The place of its levels in the document. */
  at: Path;
  /** Which of the zipped groups it belongs to; those change together. */
  zipped: number | null;
}

function text(value: unknown): string {
  if (typeof value === "string") return value;
  const json = JSON.stringify(value);
  return json.length > 40 ? `${json.slice(0, 39)}…` : json;
}

function factor(name: string, written: unknown, at: Path, zipped: number | null): Factor {
  if (Array.isArray(written))
    return {
      name,
      levels: written.map((value: unknown) => ({ text: text(value), value })),
      paths: [name],
      named: false,
      at,
      zipped,
    };
  const levels = asTree(written);
  return {
    name,
    levels: Object.entries(levels).map(([level, value]) => ({ text: level, value })),
    paths: [...new Set(Object.values(levels).flatMap((sets) => Object.keys(asTree(sets))))],
    named: true,
    at,
    zipped,
  };
}

/** All factors in the order of the document, zipped ones after. */
export function factorsOf(campaign: Tree): Factor[] {
  const crossed = Object.entries(asTree(campaign.factors)).map(([name, written]) =>
    factor(name, written, ["factors", name], null),
  );
  const groups = Array.isArray(campaign.zip) ? (campaign.zip as unknown[]) : [];
  const zipped = groups.flatMap((group, index) =>
    Object.entries(asTree(group)).map(([name, written]) =>
      factor(name, written, ["zip", index, name], index),
    ),
  );
  return [...crossed, ...zipped];
}

/** The factor that sets a path of the experiment, or something above or below it. */
export function factorSetting(factors: readonly Factor[], path: string): Factor | undefined {
  return factors.find(({ paths }) =>
    paths.some((each) => each === path || path.startsWith(`${each}.`)),
  );
}

/** The sum as people say it: "3 × 2 levels × 5 replicates"; empty when nothing is varied. */
export function productOf(factors: readonly Factor[], replicates: number): string {
  const groups = new Map<number, number>();
  const sizes: number[] = [];
  for (const { levels, zipped } of factors) {
    if (zipped === null) sizes.push(levels.length);
    else if (!groups.has(zipped)) groups.set(zipped, levels.length);
  }
  const all = [...sizes, ...groups.values()];
  if (all.length === 0) return "";
  const levels = all.length === 1 && all[0] === 1 ? "level" : "levels";
  return `${all.join(" × ")} ${levels} × ${replicates} ${replicates === 1 ? "replicate" : "replicates"}`;
}

/** A dotted path as steps: clients.0.count has a number. */
export function pathOf(dotted: string): Path {
  return dotted.split(".").map((step) => (/^\d+$/.test(step) ? Number(step) : step));
}
