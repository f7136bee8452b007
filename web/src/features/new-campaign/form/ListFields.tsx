import { ActionIcon, Group, Paper, Stack, Text } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import type { ReactElement } from "react";
import { alternatives, type JsonSchema } from "../schema";
import { asTree, valueAt, type Path } from "../yamlText";
import { AddButton } from "./AddButton";
import { useForm } from "./context";
import classes from "./form.module.css";
import { labelOf } from "./Leaf";

/** client, event, step: one of clients, events, steps. */
export function singular(path: Path): string {
  return labelOf(path.at(-1) ?? "").replace(/s$/, "");
}

interface ListProps {
  path: Path;
  schema: JsonSchema;
  /** The fields of an item. */
  children: (path: Path, item: JsonSchema) => ReactElement;
}

/** A list of mappings, each on a card. */
export function ListFields({ path, schema, children }: ListProps): ReactElement {
  const { root, campaign, set } = useForm();
  const found = valueAt(campaign, path);
  const items: unknown[] = Array.isArray(found) ? found : [];
  const item = schema.items === undefined ? undefined : alternatives(root, schema.items)[0];
  const one = singular(path);
  const remove = (index: number): void => {
    const rest = items.filter((_, each) => each !== index);
    set(path, rest.length === 0 ? undefined : rest);
  };
  const add = (): void => {
    const last = items.at(-1);
    set([...path, items.length], last === undefined ? {} : asTree(last));
  };
  return (
    <Stack gap="xs" className={classes.wide}>
      {items.map((_, index) => (
        <Paper key={index} p="xs" bg="transparent" role="group" aria-label={`${one} ${index + 1}`}>
          <Group justify="space-between" mb={4}>
            <Text size="xs" fw={600} c="dimmed">
              {one} {index + 1}
            </Text>
            <ActionIcon
              size="sm"
              aria-label={`Remove ${one} ${index + 1}`}
              onClick={() => remove(index)}
            >
              <IconTrash size={14} />
            </ActionIcon>
          </Group>
          {item !== undefined && children([...path, index], item)}
        </Paper>
      ))}
      <div>
        <AddButton label={one} onAdd={add} />
      </div>
    </Stack>
  );
}
