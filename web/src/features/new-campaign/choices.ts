/** Names that may stand at a path of the experiment, which the schema alone does not know. */
import type { Schema } from "#/api/client";
import { alternatives, experimentOf, schemasAt, type JsonSchema } from "./schema";
import { typedOf, type Path } from "./yamlText";

export type Choices = Schema<"Choices">;
export type PlayerOption = Schema<"OptionOut">;

/** Suggestions for the value at a path of the experiment; empty: anything. */
export function suggestions(root: JsonSchema, choices: Choices, path: Path): string[] {
  const last = path.at(-1);
  if (path[0] === "clients" && last === "player") return choices.players.map(({ name }) => name);
  if (path[0] === "server" && last === "congestion_control") return choices.congestion_controls;
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

export function optionsOf(choices: Choices, player: unknown): PlayerOption[] {
  return choices.players.find(({ name }) => name === player)?.options ?? [];
}
