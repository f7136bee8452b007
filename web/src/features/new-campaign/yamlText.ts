/** A campaign as YAML text, read and changed in place: comments and layout stay. */
import {
  Document,
  isCollection,
  isMap,
  isScalar,
  isSeq,
  Pair,
  parseDocument,
  type Node,
} from "yaml";

export type Path = readonly (string | number)[];
export type Tree = Record<string, unknown>;

interface ReadText {
  /** What the text says, as far as it can be read. */
  value: Tree;
  /** Where it is no YAML; offsets in the text. */
  errors: { from: number; to: number; message: string }[];
}

/** As the server reads it: YAML 1.2's core schema, `<<` merges, no key twice. */
const OPTIONS = { version: "1.2", merge: true, prettyErrors: false } as const;
const LAYOUT = { lineWidth: 84, flowCollectionPadding: false } as const;
const MOST_ALIASES = 100;

export function asTree(value: unknown): Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Tree)
    : {};
}

function parse(text: string): Document.Parsed {
  return parseDocument(text, OPTIONS);
}

export function read(text: string): ReadText {
  const document = parse(text);
  const errors = document.errors.map(({ pos: [from, to], message }) => ({ from, to, message }));
  try {
    return { value: asTree(document.toJS({ maxAliasCount: MOST_ALIASES })), errors };
  } catch (error) {
    const message = error instanceof Error ? error.message : "it cannot be read";
    return { value: {}, errors: [...errors, { from: 0, to: text.length, message }] };
  }
}

/** The value at a path, or undefined. */
export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (found, step) =>
      Array.isArray(found) ? (found as unknown[])[Number(step)] : asTree(found)[String(step)],
    value,
  );
}

function makeWay(document: Document, path: Path): void {
  if (!isCollection(document.contents)) document.contents = document.createNode({});
  for (let length = 1; length < path.length; length += 1) {
    const here = path.slice(0, length);
    if (!isCollection(document.getIn(here, true)))
      document.setIn(here, document.createNode(typeof path[length] === "number" ? [] : {}));
  }
}

/** A node as people write it: short lists of plain values on one line. */
function written(document: Document, value: unknown): Node {
  const node = document.createNode(value) as Node;
  flatten(node);
  return node;
}

function flatten(node: unknown): void {
  if (isSeq(node)) {
    if (node.items.every((item) => isScalar(item))) node.flow = true;
    else node.items.forEach(flatten);
  } else if (isMap(node)) {
    node.items.forEach(({ value }) => flatten(value));
  }
}

/** The text with a value at a path. Not for text that is no YAML. */
export function withValue(text: string, path: Path, value: unknown): string {
  const document = parse(text);
  makeWay(document, path);
  document.setIn(path, written(document, value));
  return document.toString(LAYOUT);
}

/** The text with another name for the key at a path; its place, its value and its comments stay. */
export function withKey(text: string, path: Path, name: string): string {
  const document = parse(text);
  const map: unknown = document.getIn(path.slice(0, -1), true);
  if (!isMap(map)) return text;
  const pair = map.items.find(({ key }) => isScalar(key) && String(key.value) === path.at(-1));
  if (pair === undefined || !isScalar(pair.key)) return text;
  pair.key.value = name;
  return document.toString(LAYOUT);
}

/** The text without what is at a path, nor mappings that it leaves empty. */
export function without(text: string, path: Path): string {
  const document = parse(text);
  if (!document.hasIn(path)) return text;
  document.deleteIn(path);
  for (let up = path.slice(0, -1); up.length > 1; up = up.slice(0, -1)) {
    const node = document.getIn(up, true);
    if (!isMap(node) || node.items.length > 0) break;
    document.deleteIn(up);
  }
  return document.toString(LAYOUT);
}

/** A whole campaign as text, its keys in this order before any other. */
export function textOf(value: Tree, order: readonly string[]): string {
  const rank = (key: string): number => (order.includes(key) ? order.indexOf(key) : order.length);
  const keys = Object.keys(value).sort((a, b) => rank(a) - rank(b));
  const document = new Document(Object.fromEntries(keys.map((key) => [key, value[key]])), OPTIONS);
  flatten(document.contents);
  return document.toString(LAYOUT);
}

/**
 * Offsets of what a dotted path names, as the server's errors have it. Keys may have dots
 * themselves; when the path leads on to what is not there, its nearest parent's key.
 */
export function placeOf(text: string, dotted: string): { from: number; to: number } | null {
  const document = parse(text);
  let node: unknown = document.contents;
  let place: { from: number; to: number } | null = null;
  let rest = dotted.split(".");
  const spanOf = (found: unknown): { from: number; to: number } | null => {
    const range = (found as Node | null)?.range;
    return range ? { from: range[0], to: range[1] } : null;
  };
  while (rest.length > 0 && isCollection(node)) {
    if (isSeq(node)) {
      node = node.items[Number(rest[0])];
      rest = rest.slice(1);
      if (isScalar(node) || rest.length === 0) place = spanOf(node) ?? place;
      continue;
    }
    const { items } = node as unknown as { items: Pair[] };
    let taken = rest.length;
    let pair: Pair | undefined;
    while (pair === undefined && taken > 0) {
      const key = rest.slice(0, taken).join(".");
      pair = items.find((each) => isScalar(each.key) && String(each.key.value) === key);
      if (pair === undefined) taken -= 1;
    }
    if (pair === undefined) break;
    rest = rest.slice(taken);
    place = spanOf(pair.key);
    node = pair.value;
    if (rest.length === 0 && isScalar(node)) {
      const span = spanOf(node);
      if (span !== null && span.to > span.from) place = span;
    }
  }
  return place;
}

/** A scalar as it is typed into a field: 3 is a number, 3s and "" are texts. */
export function scalarOf(typed: string): unknown {
  const trimmed = typed.trim();
  const plain = /^[-+.\w]/.test(trimmed) && !/[:#,[\]{}]/.test(trimmed);
  return plain ? (parse(trimmed).toJS() as unknown) : trimmed;
}

/** What is typed for a level, which may be a mapping or a list: {discipline: red, limit: 2bdp}. */
export function levelOf(typed: string): unknown {
  const trimmed = typed.trim();
  const document = /^[[{]/.test(trimmed) ? parse(trimmed) : null;
  return document === null || document.errors.length > 0
    ? scalarOf(typed)
    : (document.toJS() as unknown);
}

/** The same the other way: what a field shows for a value. */
export function typedOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
