/** Where in a campaign the cursor stands, also while its text is not whole yet. */
import { isMap, isPair, isScalar, isSeq, parseDocument, visit, type Node, type Pair } from "yaml";
import type { Path } from "../yamlText";

export interface Context {
  /** Of the mapping for a key, of the value itself for a value. */
  path: Path;
  kind: "key" | "value";
  /** Keys that the mapping has already. */
  present: string[];
  /** Offset at which the word begins that is being typed. */
  from: number;
}

const MARK = "weir0cursor";

type Ancestors = readonly (Node | Pair | { contents: unknown })[];

function pathOf(ancestors: Ancestors, node: unknown): Path {
  const path: (string | number)[] = [];
  [...ancestors, node].forEach((each, index, all) => {
    const next = all[index + 1];
    if (isSeq(each)) path.push(each.items.indexOf(next));
    else if (isPair(each) && isScalar(each.key) && next === each.value)
      path.push(String(each.key.value));
  });
  return path;
}

function keysOf(map: unknown): string[] {
  if (!isMap(map)) return [];
  return map.items
    .map(({ key }) => (isScalar(key) ? String(key.value) : ""))
    .filter((key) => !key.includes(MARK));
}

function find(text: string, from: number): Context | null {
  let found: Context | null = null;
  visit(parseDocument(text, { version: "1.2", merge: true }), {
    Scalar(at, node, ancestors) {
      if (typeof node.value !== "string" || !node.value.includes(MARK)) return undefined;
      const isKey = at === "key";
      const around = isKey ? ancestors.slice(0, -1) : ancestors;
      const parent = isKey ? around.at(-1) : undefined;
      found = {
        path: isKey ? pathOf(around, undefined) : pathOf(around, node),
        kind: isKey ? "key" : "value",
        present: keysOf(parent),
        from,
      };
      return visit.BREAK;
    },
  });
  return found;
}

/** Null where nothing can be said. A word alone on its line may be a key or a value: both, then. */
export function contextsAt(text: string, position: number): Context[] {
  const before = text.slice(0, position);
  const word = /[\w./%-]*$/.exec(before)?.[0] ?? "";
  const from = position - word.length;
  const rest = /^[\w./%-]*/.exec(text.slice(position))?.[0] ?? "";
  const head = text.slice(0, from);
  const tail = text.slice(position + rest.length);
  const line = head.slice(head.lastIndexOf("\n") + 1);
  if (line.includes("#")) return [];
  const alone = /^\s*(- +)*$/.test(line);
  const asKey = /^\s*:/.test(tail) ? MARK : `${MARK}: `;
  return [alone ? find(head + asKey + tail, from) : null, find(head + MARK + tail, from)].filter(
    (each) => each !== null,
  );
}
