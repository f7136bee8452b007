import { Text } from "@mantine/core";
import { useState, type ReactElement } from "react";
import { factorSetting } from "../factors";
import { isReplaced } from "../paths";
import { alternatives, isLeaf, narrowed, ownKeys, type JsonSchema } from "../schema";
import { asTree, typedOf, valueAt, type Path } from "../yamlText";
import { AddButton } from "./AddButton";
import { useForm } from "./context";
import classes from "./form.module.css";
import { labelOf, Leaf, useProblem } from "./Leaf";
import { ListFields } from "./ListFields";
import { MapFields } from "./MapFields";
import { NamedPaths } from "./NamedPaths";
import { OneOf } from "./OneOf";

interface FieldProps {
  path: Path;
  schema: JsonSchema;
  required: boolean;
}

function isPlainList(root: JsonSchema, schema: JsonSchema): boolean {
  return (
    schema.type === "array" &&
    schema.items !== undefined &&
    alternatives(root, schema.items).every(isLeaf)
  );
}

/** Of keys of the user's own, whether each holds a mapping. */
function holdsParts(root: JsonSchema, schema: JsonSchema): boolean {
  const own = ownKeys(schema);
  const ways = own === null ? [] : alternatives(root, own.inner);
  return ways.length === 1 && ways[0]?.properties !== undefined;
}

/** A part that may be left out: shown once it is there, or asked for. */
function Part({ path, schema, required }: FieldProps): ReactElement {
  const { campaign, factors } = useForm();
  const dotted = path.slice(1).join(".");
  const varied = factors.some(({ paths }) => paths.some((each) => each.startsWith(`${dotted}.`)));
  const there = valueAt(campaign, path) !== undefined;
  // It stays while its only value is being replaced.
  const [asked, setAsked] = useState(there);
  const label = labelOf(path.at(-1) ?? "");
  const problem = useProblem(path);
  const kind = schema.told?.key;
  const whose =
    kind === undefined
      ? ""
      : typedOf(asTree(valueAt(campaign, path))[kind] ?? schema.properties?.[kind]?.default);
  if (!there && !required && !asked && !varied)
    return (
      <div className={classes.wide}>
        <AddButton label={label} onAdd={() => setAsked(true)} />
      </div>
    );
  return (
    <div className={classes.inner} role="group" aria-label={label}>
      <Text size="xs" fw={600} c="dimmed" mb={6}>
        {label}
        {whose !== "" && ` – the options of ${whose}`}
      </Text>
      {problem !== undefined && (
        <Text size="xs" c="var(--mantine-color-error)" mb={6}>
          {problem}
        </Text>
      )}
      <ObjectFields path={path} schema={schema} />
    </div>
  );
}

/** Whatever the schema has here, as the input that fits it. */
export function Field({ path, schema, required }: FieldProps): ReactElement {
  const { root, campaign } = useForm();
  const ways = alternatives(root, schema);
  const [only] = ways;
  if (isReplaced(campaign, path)) return <></>;
  if (ways.length > 1 && !ways.every(isLeaf))
    return (
      <OneOf path={path} ways={ways} schema={schema} required={required}>
        {(way) => <ObjectFields path={path} schema={way} />}
      </OneOf>
    );
  if (only === undefined) return <></>;
  const described = { ...only, default: schema.default ?? only.default };
  if (isPlainList(root, only))
    return (
      <div className={classes.wide}>
        <Leaf path={path} schema={described} required={required} />
      </div>
    );
  if (only.type === "array")
    return (
      <ListFields path={path} schema={only}>
        {(each, item) => <ObjectFields path={each} schema={item} />}
      </ListFields>
    );
  if (only.type !== "object") return <Leaf path={path} schema={described} required={required} />;
  if (only.properties === undefined && holdsParts(root, only))
    return (
      <NamedPaths path={path} schema={only}>
        {(each, inner) => <ObjectFields path={each} schema={inner} />}
      </NamedPaths>
    );
  return only.properties === undefined ? (
    <MapFields path={path} schema={only} />
  ) : (
    <Part path={path} schema={only} required={required} />
  );
}

/** All keys of a mapping: plain values in a grid, then its parts. */
export function ObjectFields({ path, schema }: { path: Path; schema: JsonSchema }): ReactElement {
  const { root, campaign, factors } = useForm();
  const word = schema.told?.key ?? "";
  const varied = factorSetting(factors, [...path.slice(1), word].join(".")) !== undefined;
  const shown = varied ? schema : narrowed(schema, asTree(valueAt(campaign, path)));
  const entries = Object.entries(shown.properties ?? {});
  const isPart = ([, inner]: [string, JsonSchema]): boolean =>
    !alternatives(root, inner).every(isLeaf);
  const ordered = [...entries.filter((each) => !isPart(each)), ...entries.filter(isPart)];
  return (
    <div className={classes.grid}>
      {ordered.map(([key, inner]) => (
        <Field
          key={key}
          path={[...path, key]}
          schema={inner}
          required={schema.required?.includes(key) === true}
        />
      ))}
    </div>
  );
}
