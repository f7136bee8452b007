import { ActionIcon, Button, Group, Paper, Stack, Text, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useState, type ReactElement } from "react";
import { withPath, withPathNamed } from "../paths";
import { alternatives, ownKeys, type JsonSchema } from "../schema";
import { asTree, valueAt, type Path } from "../yamlText";
import { AddButton } from "./AddButton";
import { useForm } from "./context";
import classes from "./form.module.css";
import { labelOf } from "./Leaf";
import { singular } from "./ListFields";

interface NamedProps {
  path: Path;
  schema: JsonSchema;
  /** The fields of what a name stands for. */
  children: (path: Path, inner: JsonSchema) => ReactElement;
}

/** Named paths, each with its fields on a card; its name can be changed, with all that uses it. */
export function NamedPaths({ path, schema, children }: NamedProps): ReactElement {
  const { root, campaign, set, edit } = useForm();
  const [open, setOpen] = useState(false);
  const own = ownKeys(schema);
  const inner = own === null ? undefined : alternatives(root, own.inner)[0];
  const names = Object.keys(asTree(valueAt(campaign, path)));
  const label = labelOf(path.at(-1) ?? "");
  const one = singular(path);
  const wrong = (name: string): string | null => {
    if (names.includes(name)) return `there is a ${one} of this name`;
    if (own !== null && own.pattern.test(name) && name.length <= own.longest) return null;
    return `a to z first, then a to z, 0 to 9 and -, at most ${own?.longest ?? 0} characters`;
  };
  if (!open && names.length === 0)
    return (
      <div className={classes.wide}>
        <AddButton label={label} onAdd={() => setOpen(true)} />
      </div>
    );
  return (
    <Stack gap="xs" className={classes.inner} role="group" aria-label={label}>
      <Text size="xs" fw={600} c="dimmed">
        {label}
      </Text>
      {names.length === 0 && (
        <Text size="xs" c="dimmed">
          {schema.description}
        </Text>
      )}
      {names.map((name) => (
        <Paper key={name} p="xs" bg="transparent" role="group" aria-label={`${one} ${name}`}>
          <Group justify="space-between" mb={8} align="start">
            <NameField
              label={`Name of ${one} ${name}`}
              name={name}
              wrong={wrong}
              onName={(next) => edit((text) => withPathNamed(text, name, next))}
            />
            <ActionIcon
              size="sm"
              aria-label={`Remove ${one} ${name}`}
              onClick={() => set([...path, name], undefined)}
            >
              <IconTrash size={14} />
            </ActionIcon>
          </Group>
          {inner !== undefined && children([...path, name], inner)}
        </Paper>
      ))}
      <NameField
        label={`Name of another ${one}`}
        name=""
        wrong={wrong}
        onName={(name) => edit((text) => withPath(text, name))}
      />
    </Stack>
  );
}

interface NameProps {
  label: string;
  /** Empty: of something new. */
  name: string;
  /** What is wrong with a name. */
  wrong: (name: string) => string | null;
  onName: (name: string) => void;
}

/** A name, taken over with Enter, by its button, or when the field of an old one is left. */
function NameField({ label, name, wrong, onName }: NameProps): ReactElement {
  const [typed, setTyped] = useState(name);
  const next = typed.trim();
  const error = next === "" || next === name ? null : wrong(next);
  const isNew = name === "";
  const take = (): void => {
    if (next === "") setTyped(name);
    if (next === "" || next === name || error !== null) return;
    onName(next);
    if (isNew) setTyped("");
  };
  return (
    <Group gap="xs" align="start">
      <TextInput
        size="xs"
        aria-label={label}
        placeholder={isNew ? "wifi" : ""}
        value={typed}
        error={error}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={isNew ? undefined : take}
        onKeyDown={(event) => {
          if (event.key === "Enter") take();
        }}
      />
      {isNew && (
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          leftSection={<IconPlus size={13} />}
          disabled={next === "" || error !== null}
          onClick={take}
        >
          add
        </Button>
      )}
    </Group>
  );
}
