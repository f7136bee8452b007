type Leaf = readonly [path: string[], value: unknown];

const isTree = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** All values in a tree that are no filled tree themselves, each with its path. */
export function leavesOf(tree: object): Leaf[] {
  return Object.entries(tree).flatMap(([key, value]: [string, unknown]): Leaf[] => {
    const inner = isTree(value) ? leavesOf(value) : [];
    return inner.length === 0
      ? [[[key], value]]
      : inner.map(([path, leaf]) => [[key, ...path], leaf]);
  });
}
