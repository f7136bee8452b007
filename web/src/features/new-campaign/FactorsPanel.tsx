import { ActionIcon, Autocomplete, Group, Paper, Pill, Stack, Text, Tooltip } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useState, type ReactElement } from "react";
import { examples, suggestions, type Choices } from "./choices";
import { ExceptionsPanel } from "./ExceptionsPanel";
import { factorsOf, pathOf, productOf, type Factor } from "./factors";
import { optionPaths } from "./playerOptions";
import { experimentOf, schemasAt, variablePaths, type JsonSchema } from "./schema";
import {
  asTree,
  levelOf,
  scalarOf,
  typedOf,
  valueAt,
  withValue,
  without,
  type Path,
  type Tree,
} from "./yamlText";

interface PanelProps {
  campaign: Tree;
  text: string;
  /** null while the text is no YAML. */
  onChange: ((text: string) => void) | null;
  schema: JsonSchema;
  choices: Choices;
  summary: ReactElement;
}

function takeLevel(text: string, factor: Factor, index: number): string {
  const { at, levels, name, named } = factor;
  if (named) return without(text, [...at, levels[index]?.text ?? ""]);
  const rest = levels.filter((_, each) => each !== index).map(({ value }) => value);
  if (rest.length > 0) return withValue(text, at, rest);
  // The last level becomes what every run has.
  return withValue(without(text, at), ["experiment", ...pathOf(name)], levels[index]?.value);
}

function FactorRow({ factor, props }: { factor: Factor; props: PanelProps }): ReactElement {
  const { text, onChange, schema, choices } = props;
  const [typed, setTyped] = useState("");
  const { name, levels, named, at, zipped } = factor;
  const add = (level: string): void => {
    setTyped("");
    if (level.trim() === "" || levels.some((each) => each.text === level.trim())) return;
    const only = schemasAt(schema, experimentOf(schema), pathOf(name));
    const value =
      only.length > 0 && only.every(({ type }) => type === "string")
        ? level.trim()
        : levelOf(level);
    onChange?.(withValue(text, at, [...levels.map((each) => each.value), value]));
  };
  const others = suggestions(schema, choices, pathOf(name), props.campaign).filter(
    (each) => !levels.some((level) => level.text === each),
  );
  return (
    <div role="group" aria-label={`Factor ${name}`}>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="xs" fw={600} style={{ overflowWrap: "anywhere" }}>
          {name}
          {zipped !== null && (
            <Text span size="xs" c="dimmed">
              {" "}
              (changes with its group)
            </Text>
          )}
        </Text>
        <ActionIcon
          size="sm"
          aria-label={`Remove the factor ${name}`}
          disabled={onChange === null}
          onClick={() => onChange?.(without(text, at))}
        >
          <IconX size={13} />
        </ActionIcon>
      </Group>
      <Group gap={5} mt={3}>
        {levels.map((level, index) => (
          <Tooltip
            key={`${index} ${level.text}`}
            label={typedOf(level.value)}
            disabled={!named}
            multiline
            maw={320}
          >
            <Pill
              size="sm"
              withRemoveButton={onChange !== null}
              removeButtonProps={{ "aria-label": `Remove the level ${level.text}` }}
              onRemove={() => onChange?.(takeLevel(text, factor, index))}
            >
              {level.text}
            </Pill>
          </Tooltip>
        ))}
        {!named && onChange !== null && (
          <Autocomplete
            size="xs"
            variant="unstyled"
            w={112}
            aria-label={`Add a level to ${name}`}
            placeholder="add a level"
            data={others}
            value={typed}
            onChange={setTyped}
            onOptionSubmit={add}
            onBlur={() => add(typed)}
            onKeyDown={(event) => {
              if (event.key === "Enter" && typed !== "") add(typed);
            }}
          />
        )}
      </Group>
    </div>
  );
}

/** Of a field that is not written: its default, the first name there, an example; else nothing. */
function firstLevel(schema: JsonSchema, choices: Choices, path: Path): unknown {
  const there = schemasAt(schema, experimentOf(schema), path);
  const example = there.flatMap((each) => examples(each, schema))[0];
  return (
    there.find((each) => each.default !== undefined && each.default !== null)?.default ??
    suggestions(schema, choices, path)[0] ??
    (example === undefined ? "" : scalarOf(example))
  );
}

/** What is varied, as chips, and how many runs that makes. */
export function FactorsPanel(props: PanelProps): ReactElement {
  const { campaign, text, onChange, schema, summary } = props;
  const [typed, setTyped] = useState("");
  const factors = factorsOf(campaign);
  const experiment = asTree(campaign.experiment);
  const ofPlayers = optionPaths(props.choices, campaign, factors);
  const paths = [...variablePaths(schema, experiment), ...ofPlayers.keys()].filter(
    (path) => !factors.some(({ name }) => name === path),
  );
  const begin = (name: string): void => {
    setTyped("");
    if (!paths.includes(name)) return;
    const path = pathOf(name);
    const level =
      valueAt(experiment, path) ??
      ofPlayers.get(name)?.default ??
      firstLevel(schema, props.choices, path);
    onChange?.(withValue(without(text, ["experiment", ...path]), ["factors", name], [level]));
  };
  const replicates = typeof campaign.replicates === "number" ? campaign.replicates : 1;
  return (
    <Paper p="md" component="section" aria-label="Factors">
      <Group justify="space-between" align="baseline">
        <Text fw={600}>Factors</Text>
        <Text size="xs" c="dimmed">
          {productOf(factors, replicates)}
        </Text>
      </Group>
      <Stack gap="sm" mt="xs">
        {factors.length === 0 && (
          <Text size="sm" c="dimmed">
            Nothing is varied yet: every run is the same but for its seed.
          </Text>
        )}
        {factors.map((factor) => (
          <FactorRow key={factor.at.join("/")} factor={factor} props={props} />
        ))}
        <Autocomplete
          size="xs"
          aria-label="Add a factor"
          placeholder="Vary something else…"
          disabled={onChange === null}
          data={paths}
          limit={60}
          value={typed}
          onChange={setTyped}
          onOptionSubmit={begin}
        />
        <ExceptionsPanel campaign={campaign} text={text} factors={factors} onChange={onChange} />
        {summary}
      </Stack>
    </Paper>
  );
}
