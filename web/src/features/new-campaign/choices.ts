/** Names that may stand at a path of the experiment, which the schema alone does not know. */
import type { Schema } from "#/api/client";
import { factorsOf } from "./factors";
import { optionPaths, optionValues } from "./playerOptions";
import { alternatives, experimentOf, schemasAt, type JsonSchema } from "./schema";
import { asTree, typedOf, valueAt, type Path, type Tree } from "./yamlText";

export type Choices = Schema<"Choices">;

/** The names of the paths that a campaign's gateway has. */
export function pathNames(campaign: Tree): string[] {
  return Object.keys(asTree(valueAt(campaign, ["experiment", "gateway", "paths"])));
}

/** Whether one of these names stands at a path of the experiment, or a list of them. */
function namesPath([part, , key]: Path): boolean {
  if (part === "clients") return key === "paths" || key === "backup";
  return (part === "traffic" || part === "events") && key === "path";
}

/** Suggestions for the value at a path of a campaign's experiment; empty: anything. */
export function suggestions(
  root: JsonSchema,
  choices: Choices,
  path: Path,
  campaign: Tree = {},
): string[] {
  const last = path.at(-1);
  if (namesPath(path)) return pathNames(campaign);
  if (path[0] === "clients" && last === "player") return choices.players.map(({ name }) => name);
  if (path[0] === "server" && last === "congestion_control") return choices.congestion_controls;
  if (path[0] === "clients" && path[2] === "options")
    return optionValues(optionPaths(choices, campaign, factorsOf(campaign)).get(path.join(".")));
  const found = schemasAt(root, experimentOf(root), path).flatMap((schema) => [
    ...(schema.enum ?? []),
    ...(schema.type === "boolean" ? [true, false] : []),
  ]);
  // A number and the same as text are one thing to choose.
  return [...new Set(found.map(typedOf))];
}

/** Examples for a quantity, for where nothing else can be suggested. */
export function examples(schema: JsonSchema, root: JsonSchema): string[] {
  return alternatives(root, schema)
    .flatMap((way) => way.examples ?? [])
    .map(typedOf);
}
