/** Completion of keys and values from the schema and the names that are there to choose from. */
import type {
  Completion,
  CompletionContext,
  CompletionResult,
  CompletionSource,
} from "@codemirror/autocomplete";
import { examples, suggestions, type Choices } from "../choices";
import { factorsOf } from "../factors";
import { optionPaths, optionsOf, settingsAt } from "../playerOptions";
import {
  alternatives,
  experimentOf,
  narrowed,
  schemasAt,
  variablePaths,
  type JsonSchema,
} from "../schema";
import { asTree, read, typedOf, valueAt, type Path, type Tree } from "../yamlText";
import { contextsAt, type Context } from "./context";

export interface Knowledge {
  schema: JsonSchema;
  choices: Choices;
}

function isBlock(root: JsonSchema, schema: JsonSchema): boolean {
  const ways = alternatives(root, schema);
  return ways.length > 0 && ways.every(({ type }) => type === "object");
}

function keyCompletion(root: JsonSchema, key: string, schema: JsonSchema): Completion {
  const info = alternatives(root, schema).find(({ description }) => description)?.description;
  return {
    label: key,
    apply: isBlock(root, schema) ? `${key}:` : `${key}: `,
    type: "property",
    ...(info === undefined ? {} : { info }),
  };
}

function factorKeys({ schema, choices }: Knowledge, campaign: Tree): Completion[] {
  const ofPlayers = optionPaths(choices, campaign, factorsOf(campaign)).keys();
  return [...variablePaths(schema, campaign.experiment), ...ofPlayers].map((path) => ({
    label: path,
    apply: `${path}: `,
    type: "property",
  }));
}

function optionKeys({ choices }: Knowledge, campaign: Tree, path: Path): Completion[] {
  const client = valueAt(campaign, path.slice(0, -1));
  return optionsOf(choices, asTree(client).player).map(({ name, text }) => ({
    label: name,
    apply: `${name}: `,
    type: "property",
    info: text,
  }));
}

function settingKeys({ choices }: Knowledge, campaign: Tree, path: Path): Completion[] {
  const settings = settingsAt(choices, campaign, factorsOf(campaign), path.slice(0, -2));
  return settings.map(({ name, default: otherwise, types }) => ({
    label: name,
    apply: `${name}: `,
    type: "property",
    detail: otherwise === null ? types.join(" or ") : typedOf(otherwise),
  }));
}

function keys(knowledge: Knowledge, campaign: Tree, { path, present }: Context): Completion[] {
  const root = knowledge.schema;
  const found =
    path.length === 1 && path[0] === "factors"
      ? factorKeys(knowledge, campaign)
      : path[0] === "experiment" && path.at(-1) === "options"
        ? optionKeys(knowledge, campaign, path)
        : path[0] === "experiment" && path.at(-1) === "settings"
          ? settingKeys(knowledge, campaign, path)
          : schemasAt(root, root, path)
              .map((schema) => narrowed(schema, asTree(valueAt(campaign, path))))
              .flatMap(({ properties = {} }) =>
                Object.entries(properties).map(([key, schema]) => keyCompletion(root, key, schema)),
              );
  return found.filter(({ label }) => !present.includes(label));
}

/** A path in the document as one in the experiment: its own place, or what a factor sets. */
function inExperiment(path: Path): Path | null {
  if (path[0] === "experiment") return path.slice(1);
  if (path[0] === "factors" && path.length === 3) return String(path[1]).split(".");
  if (path[0] === "factors" && path.length === 4) return String(path[3]).split(".");
  return null;
}

function values(
  { schema: root, choices }: Knowledge,
  campaign: Tree,
  { path }: Context,
): Completion[] {
  const inside = inExperiment(path);
  const found =
    inside === null
      ? schemasAt(root, root, path).flatMap((each) => (each.enum ?? []).map(typedOf))
      : suggestions(root, choices, inside, campaign);
  if (found.length > 0) return found.map((label) => ({ label, type: "enum" }));
  const ways =
    inside === null ? schemasAt(root, root, path) : schemasAt(root, experimentOf(root), inside);
  return [...new Set(ways.flatMap((way) => examples(way, root)))]
    .filter((label) => !/[[{]/.test(label))
    .map((label) => ({ label, type: "text", detail: "for example" }));
}

/** What fits at a position: keys where a mapping goes on, else values. */
export function fitting(knowledge: Knowledge, text: string, position: number) {
  const contexts = contextsAt(text, position);
  const campaign = read(text).value;
  for (const context of contexts) {
    const options =
      context.kind === "key"
        ? keys(knowledge, campaign, context)
        : values(knowledge, campaign, context);
    if (options.length > 0) return { from: context.from, options };
    // A mapping that is only begun parses as a plain value.
    const begun =
      context.kind === "value" ? keys(knowledge, campaign, { ...context, present: [] }) : [];
    if (begun.length > 0) return { from: context.from, options: begun };
  }
  return null;
}

export function completion(knowledge: Knowledge): CompletionSource {
  return ({ state, pos, explicit }: CompletionContext): CompletionResult | null => {
    const text = state.doc.toString();
    const typing = /[\w./-]$/.test(text.slice(0, pos));
    const afterKey = /:[ ]$|[[{,][ ]?$/.test(text.slice(0, pos));
    if (!explicit && !typing && !afterKey) return null;
    const found = fitting(knowledge, text, pos);
    return found === null ? null : { ...found, validFor: /^[\w./%-]*$/ };
  };
}
