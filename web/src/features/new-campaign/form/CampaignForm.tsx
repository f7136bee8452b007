import { Accordion, Alert, SimpleGrid, Text } from "@mantine/core";
import { useCallback, useMemo, type ReactElement } from "react";
import type { Schema } from "#/api/client";
import type { Choices } from "../choices";
import { factorsOf } from "../factors";
import { alternatives, experimentOf, isLeaf, type JsonSchema } from "../schema";
import { read, withValue, without, type Path } from "../yamlText";
import { FormContext, type FormKnowledge } from "./context";
import { Leaf } from "./Leaf";
import { Field, ObjectFields } from "./ObjectFields";

export interface FormProps {
  text: string;
  onChange: (text: string) => void;
  schema: JsonSchema;
  choices: Choices;
  problems: readonly Schema<"FieldProblem">[];
}

const OPEN = ["campaign", "content", "server", "gateway", "clients"];
type About = "name" | "description" | "replicates" | "seed";

/** The campaign as fields, made from its schema. It edits the text; what it has no field for stays. */
export function CampaignForm({
  text,
  onChange,
  schema: root,
  choices,
  problems,
}: FormProps): ReactElement {
  const { value: campaign, errors } = useMemo(() => read(text), [text]);
  const set = useCallback(
    (path: Path, value: unknown) =>
      onChange(value === undefined ? without(text, path) : withValue(text, path, value)),
    [text, onChange],
  );
  const knowledge = useMemo<FormKnowledge>(
    () => ({
      root,
      choices,
      campaign,
      factors: factorsOf(campaign),
      problems,
      set,
      edit: (change) => onChange(change(text)),
      vary: (path, level) =>
        onChange(
          withValue(without(text, ["experiment", ...path]), ["factors", path.join(".")], [level]),
        ),
    }),
    [root, choices, campaign, problems, set, text, onChange],
  );
  if (errors.length > 0)
    return (
      <Alert variant="light" color="yellow" title="This is no YAML at the moment">
        Mend it in the YAML view; then the form can go on: {errors[0]?.message}
      </Alert>
    );
  const experiment = experimentOf(root);
  const parts = Object.entries(experiment.properties ?? {});
  const isPart = (inner: JsonSchema): boolean => !alternatives(root, inner).every(isLeaf);
  const plain = parts.filter(([, inner]) => !isPart(inner)).map(([key]) => key);
  const { search } = root.properties ?? {};
  const open = campaign.search === undefined ? OPEN : [...OPEN, "search"];
  const about = (key: About, required: boolean): ReactElement => (
    <Leaf path={[key]} schema={root.properties?.[key] ?? {}} required={required} />
  );
  return (
    <FormContext value={knowledge}>
      <Accordion multiple defaultValue={open} variant="default" chevronPosition="left">
        <Accordion.Item value="campaign">
          <Accordion.Control>
            <Text fw={600}>campaign</Text>
          </Accordion.Control>
          <Accordion.Panel>
            <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" mb="xs">
              {about("name", true)}
              {about("description", false)}
            </SimpleGrid>
            <SimpleGrid cols={{ base: 2, xs: 4 }} spacing="sm">
              {about("replicates", false)}
              {about("seed", false)}
              {plain.map((key) => (
                <Leaf
                  key={key}
                  path={["experiment", key]}
                  schema={experiment.properties?.[key] ?? {}}
                  required={experiment.required?.includes(key) === true}
                />
              ))}
            </SimpleGrid>
          </Accordion.Panel>
        </Accordion.Item>
        {parts
          .filter(([, inner]) => isPart(inner))
          .map(([key, inner]) => {
            const [way] = alternatives(root, inner);
            return (
              <Accordion.Item key={key} value={key}>
                <Accordion.Control>
                  <Text fw={600} component="span">
                    {key}
                  </Text>
                  <Text size="xs" c="dimmed" component="span" ml="xs">
                    {way?.type === "object" ? way.description : ""}
                  </Text>
                </Accordion.Control>
                <Accordion.Panel>
                  {way?.type === "object" ? (
                    <ObjectFields path={["experiment", key]} schema={way} />
                  ) : (
                    <Field path={["experiment", key]} schema={inner} required={false} />
                  )}
                </Accordion.Panel>
              </Accordion.Item>
            );
          })}
        {search !== undefined && (
          <Accordion.Item value="search">
            <Accordion.Control>
              <Text fw={600} component="span">
                search
              </Text>
              <Text size="xs" c="dimmed" component="span" ml="xs">
                {alternatives(root, search)[0]?.description}
              </Text>
            </Accordion.Control>
            <Accordion.Panel>
              <Field path={["search"]} schema={search} required={false} />
            </Accordion.Panel>
          </Accordion.Item>
        )}
      </Accordion>
    </FormContext>
  );
}
