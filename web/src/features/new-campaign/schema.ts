/** The campaign's JSON Schema, walked along a path in a document. */
import { asTree, type Path } from "./yamlText";

/** Steps of the longest path that is offered. */
const DEEPEST = 6;

export interface JsonSchema {
  $ref?: string | undefined;
  $defs?: Record<string, JsonSchema>;
  title?: string;
  description?: string | undefined;
  type?: string;
  enum?: unknown[];
  default?: unknown;
  examples?: unknown[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  const?: unknown;
  discriminator?: { propertyName: string };
  /** Of models that a word tells apart, merged into one: the key of the word, and each model. */
  told?: { key: string; models: Record<string, JsonSchema> };
  additionalProperties?: boolean | JsonSchema;
  /** Of keys of the user's own: a pattern of them, and what they hold. */
  patternProperties?: Record<string, JsonSchema>;
  propertyNames?: JsonSchema;
  pattern?: string;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
}

/** What a $ref stands for, with the description beside it. */
export function resolved(root: JsonSchema, schema: JsonSchema): JsonSchema {
  if (schema.$ref === undefined) return schema;
  const found = root.$defs?.[schema.$ref.replace("#/$defs/", "")] ?? {};
  return { ...found, ...schema, $ref: undefined };
}

/** Models that the word at a key tells apart, as one: all their properties, and all the words. */
function merged(
  root: JsonSchema,
  { oneOf = [], description, default: otherwise }: JsonSchema,
  { propertyName: key }: { propertyName: string },
): JsonSchema {
  const models: Record<string, JsonSchema> = {};
  let word: JsonSchema = { type: "string" };
  for (const model of oneOf.map((way) => resolved(root, way))) {
    const own = model.properties?.[key];
    models[String(own?.const)] = model;
    word = { ...own, ...word, description: undefined };
  }
  const rest = { ...word, const: undefined };
  const properties: Record<string, JsonSchema> = {};
  for (const model of Object.values(models)) Object.assign(properties, model.properties);
  return {
    type: "object",
    description,
    default: otherwise,
    properties: { ...properties, [key]: { ...rest, enum: Object.keys(models) } },
    told: { key, models },
  };
}

/** A merged schema narrowed to the model that a value names; what else the value has stays. */
export function narrowed(schema: JsonSchema, value: Record<string, unknown>): JsonSchema {
  const { told, properties = {} } = schema;
  if (told === undefined) return schema;
  const word = properties[told.key];
  const model = told.models[String(value[told.key] ?? word?.default)];
  if (model === undefined) return schema;
  const written = Object.entries(properties).filter(([key]) => value[key] !== undefined);
  return {
    ...schema,
    properties: {
      ...Object.fromEntries(written),
      ...model.properties,
      ...(word === undefined ? {} : { [told.key]: word }),
    },
  };
}

/** The ways in which a value may be written: alternatives one by one, null left out. */
export function alternatives(root: JsonSchema, schema: JsonSchema): JsonSchema[] {
  const found = resolved(root, schema);
  if (found.discriminator !== undefined) return [merged(root, found, found.discriminator)];
  const ways = found.anyOf ?? found.oneOf;
  if (ways === undefined) return found.type === "null" ? [] : [found];
  return ways
    .flatMap((way) => alternatives(root, way))
    .map((way) => ({ ...way, description: found.description ?? way.description }));
}

/** What keys of the user's own hold, and how these may be written; null: there are none. */
export function ownKeys(
  schema: JsonSchema,
): { inner: JsonSchema; pattern: RegExp; longest: number } | null {
  const { additionalProperties: any, patternProperties = {}, propertyNames } = schema;
  const [written] = Object.entries(patternProperties);
  const inner = written?.[1] ?? (typeof any === "object" ? any : undefined);
  if (inner === undefined) return null;
  return {
    inner,
    pattern: new RegExp(written?.[0] ?? ""),
    longest: propertyNames?.maxLength ?? Infinity,
  };
}

function step(root: JsonSchema, schema: JsonSchema, key: string | number): JsonSchema[] {
  const inner =
    typeof key === "number" || (schema.type === "array" && /^\d+$/.test(key))
      ? schema.items
      : (schema.properties?.[key] ?? ownKeys(schema)?.inner);
  return inner === undefined ? [] : alternatives(root, inner);
}

/** All that may stand at a path below a schema. */
export function schemasAt(root: JsonSchema, from: JsonSchema, path: Path): JsonSchema[] {
  return path.reduce<JsonSchema[]>(
    (found, key) => found.flatMap((each) => step(root, each, key)),
    alternatives(root, from),
  );
}

/** The schema of an experiment inside that of a campaign. */
export function experimentOf(root: JsonSchema): JsonSchema {
  return resolved(root, root.properties?.experiment ?? {});
}

/** Plain values may stand here: words, quantities, numbers. */
export function isLeaf(schema: JsonSchema): boolean {
  return ["string", "integer", "number", "boolean"].includes(schema.type ?? "");
}

/** A list of plain values, which has one input. */
export function isPlainList(root: JsonSchema, schema: JsonSchema): boolean {
  return (
    schema.type === "array" &&
    schema.items !== undefined &&
    alternatives(root, schema.items).every(isLeaf)
  );
}

/** Dotted paths in an experiment that a factor can vary, as they are written in a document: also of
 * each item of its lists, and of each of its gateway's paths. */
export function variablePaths(root: JsonSchema, experiment: unknown): string[] {
  const found: string[] = [];
  const walk = (schema: JsonSchema, value: unknown, path: readonly string[]): void => {
    if (path.length > DEEPEST) return;
    const ways = alternatives(root, schema);
    if (path.length > 0 && ways.some((way) => isLeaf(way) || way.type === "array"))
      found.push(path.join("."));
    const here = asTree(value);
    for (const way of ways) {
      for (const [key, inner] of Object.entries(way.properties ?? {}))
        walk(inner, here[key], [...path, key]);
      const named = path.join(".") === "gateway.paths" ? ownKeys(way) : null;
      if (named !== null)
        for (const [name, inner] of Object.entries(here)) walk(named.inner, inner, [...path, name]);
      const { items } = way;
      if (Array.isArray(value) && items !== undefined && !isPlainList(root, way))
        value.forEach((item, index) => walk(items, item, [...path, String(index)]));
    }
  };
  walk(experimentOf(root), experiment, []);
  return [...new Set(found)];
}
