/** Options of players that the API names, which the campaign's schema does not know. */
import type { Schema } from "#/api/client";
import type { Factor } from "./factors";
import { wordsAt } from "./options";
import type { JsonSchema } from "./schema";
import { typedOf, valueAt, type Path, type Tree } from "./yamlText";

type Choices = Schema<"Choices">;
export type PlayerOption = Schema<"OptionOut">;
type PlayerSetting = Schema<"SettingOut">;

/** Of an option that is a tree of settings. */
export const TREE = "keys and values";

export function optionsOf(choices: Choices, player: unknown): PlayerOption[] {
  return choices.players.find(({ name }) => name === player)?.options ?? [];
}

/** The options that all of these players take. */
export function sharedOptions(choices: Choices, players: readonly string[]): PlayerOption[] {
  const [first = [], ...others] = players.map((player) => optionsOf(choices, player));
  return first.filter(({ name }) =>
    others.every((options) => options.some((option) => option.name === name)),
  );
}

/** The players that runs have at a client: one, or those that a factor chooses from. */
export function playersAt(campaign: Tree, factors: readonly Factor[], client: Path): string[] {
  const found = wordsAt(campaign, factors, [...client, "player"], undefined);
  return found.filter((each) => each !== "");
}

/** The settings that a client's player has in all the versions that runs have of it. */
export function settingsAt(
  choices: Choices,
  campaign: Tree,
  factors: readonly Factor[],
  client: Path,
): PlayerSetting[] {
  const [player, ...others] = playersAt(campaign, factors, client);
  if (others.length > 0) return [];
  const settings = choices.players.find(({ name }) => name === player)?.settings ?? [];
  const newest = optionsOf(choices, player).find(({ name }) => name === "version")?.default;
  const versions = wordsAt(campaign, factors, [...client, "options", "version"], newest);
  return settings.filter((each) => versions.every((version) => each.versions.includes(version)));
}

export function schemaOfOption({ text, kind, default: otherwise, choices }: PlayerOption) {
  return {
    type: kind === "choice" ? "string" : typeof otherwise === "boolean" ? "boolean" : "number",
    description: text,
    default: otherwise,
    ...(choices.length > 0 ? { enum: choices } : {}),
  } satisfies JsonSchema;
}

/** Of a setting that may be null, too, the other way. */
export function schemaOfSetting({ default: otherwise, types }: PlayerSetting): JsonSchema {
  const type = types.find((each) => each !== "null");
  return {
    ...(type === undefined ? {} : { type }),
    ...(otherwise === null ? {} : { default: otherwise }),
  };
}

/** Dotted paths in the experiment of all options and settings that its clients' players have, and
 * what each is. */
export function optionPaths(
  choices: Choices,
  campaign: Tree,
  factors: readonly Factor[],
): Map<string, JsonSchema> {
  const clients = valueAt(campaign, ["experiment", "clients"]);
  const found = (Array.isArray(clients) ? clients : []).flatMap((_, index) => {
    const client = ["experiment", "clients", index];
    const options = sharedOptions(choices, playersAt(campaign, factors, client));
    return [
      ...options
        .filter(({ kind }) => kind !== TREE)
        .map((each) => [`${index}.options.${each.name}`, schemaOfOption(each)] as const),
      ...settingsAt(choices, campaign, factors, client).map(
        (each) => [`${index}.options.settings.${each.name}`, schemaOfSetting(each)] as const,
      ),
    ];
  });
  return new Map(found.map(([path, schema]) => [`clients.${path}`, schema]));
}

/** What may stand at an option of a client or at one of its settings, if it is one of some. */
export function optionValues(schema: JsonSchema | undefined): string[] {
  return (schema?.enum ?? (schema?.type === "boolean" ? [true, false] : [])).map(typedOf);
}
