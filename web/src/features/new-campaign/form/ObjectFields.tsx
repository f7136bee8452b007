import { ActionIcon, Text } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useState, type ReactElement } from "react";
import { factorSetting } from "../factors";
import { optionsAt, whose } from "../options";
import { isReplaced } from "../paths";
import { alternatives, isLeaf, isPlainList, ownKeys, type JsonSchema } from "../schema";
import { valueAt, type Path } from "../yamlText";
import { AddButton } from "./AddButton";
import { useForm } from "./context";
import classes from "./form.module.css";
import { inExperiment, labelOf, Leaf, useProblem } from "./Leaf";
import { ListFields } from "./ListFields";
import { MapFields } from "./MapFields";
import { NamedPaths } from "./NamedPaths";
import { OneOf } from "./OneOf";
import { Vary } from "./Vary";

interface FieldProps {
  path: Path;
  schema: JsonSchema;
  required: boolean;
}

/** Of keys of the user's own, whether each holds a mapping. */
function holdsParts(root: JsonSchema, schema: JsonSchema): boolean {
  const own = ownKeys(schema);
  const ways = own === null ? [] : alternatives(root, own.inner);
  return ways.length === 1 && ways[0]?.properties !== undefined;
}

interface PartProps extends FieldProps {
  /** Nothing in it is required: it says something by being there. */
  isSwitch: boolean;
}

/** A part that may be left out: shown once it is there, or asked for. */
function Part({ path, schema, required, isSwitch }: PartProps): ReactElement {
  const { campaign, factors, set } = useForm();
  const dotted = path.slice(1).join(".");
  const varied = factors.some(({ paths }) => paths.some((each) => each.startsWith(`${dotted}.`)));
  const there = valueAt(campaign, path) !== undefined;
  // It stays while its only value is being replaced.
  const [asked, setAsked] = useState(there);
  const label = labelOf(path.at(-1) ?? "");
  const inside = inExperiment(path);
  const problem = useProblem(path);
  const own = whose(optionsAt(schema, campaign, factors, path));
  if (factorSetting(factors, dotted) !== undefined)
    return <Leaf path={path} schema={schema} required={required} />;
  if (!there && !required && !asked && !varied)
    return (
      <div className={classes.wide}>
        <AddButton
          label={label}
          onAdd={() => {
            setAsked(true);
            if (isSwitch) set(path, {});
          }}
        />
      </div>
    );
  return (
    <div className={classes.inner} role="group" aria-label={label}>
      <Text size="xs" fw={600} c="dimmed" mb={6} className={classes.field} component="div">
        {label}
        {own !== "" && ` – ${own}`}
        {isSwitch && !there && !varied && " – left out"}{" "}
        {inside !== null && there && !varied && (
          <Vary path={inside} name={`${label} as a whole`} level={valueAt(campaign, path)} />
        )}
        {isSwitch && there && (
          <ActionIcon
            size="xs"
            aria-label={`Remove ${label}`}
            onClick={() => {
              setAsked(false);
              set(path, undefined);
            }}
          >
            <IconTrash size={13} />
          </ActionIcon>
        )}
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
    <Part
      path={path}
      schema={only}
      required={required}
      isSwitch={schema.default === null && (only.required ?? []).length === 0}
    />
  );
}

interface FieldsProps {
  path: Path;
  schema: JsonSchema;
}

/** Plain values in a grid, then the parts. */
function Grid({ path, schema }: FieldsProps): ReactElement {
  const { root } = useForm();
  const entries = Object.entries(schema.properties ?? {});
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

/** All keys of a mapping, apart those that are written and are none of what it says it is. */
export function ObjectFields({ path, schema }: FieldsProps): ReactElement {
  const { campaign, factors } = useForm();
  const { words, properties, strays } = optionsAt(schema, campaign, factors, path);
  const fields = <Grid path={path} schema={{ ...schema, properties }} />;
  if (strays === null) return fields;
  const label = `options of ${strays.words.join(", ")}`;
  return (
    <>
      {fields}
      <div className={classes.stray} role="group" aria-label={label}>
        <Text size="xs" fw={600} c="dimmed" mb={6}>
          {label}, not of {words.join(", ")}
        </Text>
        <Grid path={path} schema={{ properties: strays.properties }} />
      </div>
    </>
  );
}
