import { Group, Select } from "@mantine/core";
import type { ReactElement } from "react";
import { factorSetting } from "../factors";
import { isLeaf, type JsonSchema } from "../schema";
import { asTree, typedOf, valueAt, type Path } from "../yamlText";
import { useForm } from "./context";
import classes from "./form.module.css";
import { inExperiment, labelOf, Leaf } from "./Leaf";
import { Vary } from "./Vary";

interface OneOfProps {
  path: Path;
  ways: readonly JsonSchema[];
  schema: JsonSchema;
  required: boolean;
  /** The fields of a way that is a mapping. */
  children: (way: JsonSchema) => ReactElement;
}

const PLAIN = "one value";

function nameOf(way: JsonSchema): string {
  return isLeaf(way) ? PLAIN : (Object.keys(way.properties ?? {})[0] ?? "");
}

/** Which of the ways a value is written in; a plain value when it is not there. */
function wayOf(value: unknown, ways: readonly JsonSchema[]): string {
  const keys = Object.keys(asTree(value));
  const found = ways.find(
    (way) => !isLeaf(way) && keys.some((key) => way.properties?.[key] !== undefined),
  );
  const open =
    typeof value === "object" && value !== null ? ways.find((way) => !isLeaf(way)) : undefined;
  return nameOf(found ?? open ?? { type: "string" });
}

/** What may be written in several ways: a rate is one value, steps, or a trace. */
export function OneOf({ path, ways, schema, required, children }: OneOfProps): ReactElement {
  const { campaign, factors, set } = useForm();
  const value = valueAt(campaign, path);
  const kind = wayOf(value, ways);
  const way = ways.find((each) => nameOf(each) === kind) ?? ways[0];
  const name = labelOf(path.at(-1) ?? "");
  const inside = inExperiment(path);
  if (factorSetting(factors, path.slice(1).join(".")) !== undefined)
    return <Leaf path={path} schema={way ?? schema} required={required} />;
  const begin = (next: string | null): void => {
    const chosen = ways.find((each) => nameOf(each) === next);
    if (chosen === undefined || next === kind) return;
    if (isLeaf(chosen)) set(path, undefined);
    else if (next === "steps") set(path, { steps: [{ at: "0s", rate: typedOf(value) }] });
    else if (next === "trace") set(path, { trace: "", format: "mahimahi" });
    else set(path, {});
  };
  return (
    <>
      {way !== undefined && isLeaf(way) && (
        <Leaf path={path} schema={{ ...way, default: schema.default }} required={required} />
      )}
      <Select
        size="xs"
        className={classes.field}
        label={
          <Group gap={4} wrap="nowrap" component="span" display="inline-flex">
            {name}: how
            {inside !== null && value !== undefined && way !== undefined && !isLeaf(way) && (
              <Vary path={inside} name={`${name} as a whole`} level={value} />
            )}
          </Group>
        }
        aria-label={`How ${name} is given`}
        allowDeselect={false}
        data={[...new Set(ways.map(nameOf))]}
        value={kind}
        onChange={begin}
      />
      {way !== undefined && !isLeaf(way) && (
        <div className={classes.inner} role="group" aria-label={name}>
          {children(way)}
        </div>
      )}
    </>
  );
}
