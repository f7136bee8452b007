import {
  Autocomplete,
  Badge,
  Group,
  Select,
  TagsInput,
  Text,
  TextInput,
  Tooltip,
} from "@mantine/core";
import { useState, type ReactElement } from "react";
import { wordsOf } from "#/shared/levels/factor";
import { sentenceOf } from "../editor/diagnostics";
import { examples, suggestions } from "../choices";
import { factorSetting } from "../factors";
import { isLeaf, type JsonSchema } from "../schema";
import { scalarOf, typedOf, valueAt, type Path } from "../yamlText";
import { useForm } from "./context";
import classes from "./form.module.css";
import { Vary } from "./Vary";

export function labelOf(key: string | number): string {
  return String(key).replaceAll("_", " ");
}

interface LeafProps {
  /** In the document. */
  path: Path;
  schema: JsonSchema;
  required: boolean;
  label?: string;
}

/** The path in the experiment, or null outside of it. */
export function inExperiment(path: Path): Path | null {
  return path[0] === "experiment" ? path.slice(1) : null;
}

/** What is wrong at this place itself. */
export function useProblem(path: Path): string | undefined {
  const dotted = path.join(".");
  const found = useForm().problems.find((problem) => problem.path === dotted);
  return found === undefined ? undefined : sentenceOf(found);
}

const asText = (typed: string): string => typed.trim();

/** Text while it is being typed, which may not say yet what it is going to: "8." */
function useTyped(
  value: unknown,
  valueOf: (typed: string) => unknown,
): [string, (typed: string) => void] {
  const [typed, setTyped] = useState(() => typedOf(value));
  const same = typedOf(typed.trim() === "" ? undefined : valueOf(typed)) === typedOf(value);
  return [same ? typed : typedOf(value), setTyped];
}

/** One plain value, or a list of them. Where a factor sets it, its levels stand there instead. */
export function Leaf({ path, schema, required, label }: LeafProps): ReactElement {
  const { root, choices, campaign, factors, set } = useForm();
  const value = valueAt(campaign, path);
  const inside = inExperiment(path);
  const error = useProblem(path);
  const valueOf = schema.type === "string" ? asText : scalarOf;
  const [typed, setTyped] = useTyped(Array.isArray(value) ? undefined : value, valueOf);
  const factor = inside === null ? undefined : factorSetting(factors, inside.join("."));
  const name = label ?? labelOf(path.at(-1) ?? "");
  const names = inside === null ? [] : suggestions(root, choices, inside, campaign);
  const otherwise = Array.isArray(schema.default)
    ? schema.default.map(typedOf).join(", ")
    : typedOf(schema.default);
  const placeholder = otherwise || (required ? (examples(schema, root)[0] ?? "") : "");
  const level = value ?? schema.default ?? names[0] ?? examples(schema, root)[0] ?? "";

  const varying = inside !== null && factor === undefined && (
    <Vary path={inside} name={name} level={level} />
  );
  const heading = (
    <Group gap={4} wrap="nowrap" component="span" display="inline-flex">
      {schema.description === undefined ? (
        name
      ) : (
        <Tooltip label={schema.description} multiline maw={320} position="top-start">
          <span className={classes.described}>{name}</span>
        </Tooltip>
      )}
      {varying}
    </Group>
  );

  if (factor !== undefined)
    return (
      <div>
        <Text size="sm" fw={500} component="div">
          {heading}
        </Text>
        <Group gap={4} mt={5} className={classes.varied}>
          {factor.levels.slice(0, 4).map(({ text }) => (
            <Badge key={text} variant="light" tt="none" fw={550}>
              {text}
            </Badge>
          ))}
          <Text size="xs" c="dimmed">
            {factor.levels.length > 4 && `and ${factor.levels.length - 4} more `}
            {factor.named ? `by ${factor.name}` : "varied"}
          </Text>
        </Group>
      </div>
    );

  const common = {
    label: heading,
    "aria-label": wordsOf(inside ?? path).join(" "),
    size: "xs",
    error,
    placeholder,
    withAsterisk: required && value === undefined,
    className: classes.field,
  } as const;
  const change = (next: string): void => {
    setTyped(next);
    set(path, next.trim() === "" ? undefined : valueOf(next));
  };

  if (schema.type === "array")
    return (
      <TagsInput
        {...common}
        data={names}
        acceptValueOnBlur
        allowDuplicates
        value={Array.isArray(value) ? value.map(typedOf) : []}
        placeholder={Array.isArray(value) && value.length > 0 ? "" : placeholder}
        onChange={(next) => set(path, next.length === 0 ? undefined : next.map(scalarOf))}
      />
    );
  if (schema.enum !== undefined || schema.type === "boolean")
    return (
      <Select
        {...common}
        data={names.includes(typed) || typed === "" ? names : [...names, typed]}
        value={typed === "" ? null : typed}
        clearable={!required}
        onChange={(next) => change(next ?? "")}
      />
    );
  if (names.length > 0)
    return <Autocomplete {...common} data={names} value={typed} onChange={change} />;
  return (
    <TextInput
      {...common}
      inputMode={isLeaf(schema) && schema.type !== "string" ? "numeric" : undefined}
      value={typed}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}
