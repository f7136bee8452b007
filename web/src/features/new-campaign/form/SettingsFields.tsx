import { ActionIcon, Autocomplete, Group, Stack, Text } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useState, type ReactElement } from "react";
import { leavesOf } from "#/shared/levels/leaves";
import { schemaOfSetting, settingsAt } from "../playerOptions";
import type { JsonSchema } from "../schema";
import { asTree, valueAt, type Path } from "../yamlText";
import { AddButton } from "./AddButton";
import { useForm } from "./context";
import classes from "./form.module.css";
import { Leaf } from "./Leaf";

const MOST_OFFERED = 50;

interface SettingsProps {
  /** In the document: of `settings`. */
  path: Path;
  schema: JsonSchema;
}

/** Settings of a player that is another's: those that are written or varied, and the others to add. */
export function SettingsFields({ path, schema }: SettingsProps): ReactElement {
  const { campaign, choices, factors, set } = useForm();
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  // A row stays while its only value is being replaced.
  const [added, setAdded] = useState<readonly string[]>([]);
  const known = settingsAt(choices, campaign, factors, path.slice(0, -2));
  const above = `${path.slice(1).join(".")}.`;
  const written = leavesOf(asTree(valueAt(campaign, path))).map(([at]) => at);
  const varied = factors
    .flatMap(({ paths }) => paths)
    .filter((each) => each.startsWith(above))
    .map((each) => each.slice(above.length));
  const rows = new Map(written.map((each) => [each.join("."), each]));
  for (const name of [...varied, ...added]) if (!rows.has(name)) rows.set(name, [name]);

  const add = (name: string): void => {
    setTyped("");
    if (name === "" || rows.has(name)) return;
    setAdded([...added, name]);
    set([...path, name], known.find((each) => each.name === name)?.default ?? "");
  };
  const remove = (name: string, at: Path): void => {
    setAdded(added.filter((each) => each !== name));
    set([...path, ...at], undefined);
  };
  if (!open && rows.size === 0)
    return (
      <div className={classes.wide}>
        <AddButton label="settings" onAdd={() => setOpen(true)} />
      </div>
    );
  return (
    <Stack gap={6} className={classes.inner} role="group" aria-label="settings">
      <Text size="xs" fw={600} c="dimmed">
        settings
      </Text>
      <Text size="xs" c="dimmed">
        {schema.description}
      </Text>
      {[...rows].map(([name, at]) => {
        const setting = known.find((each) => each.name === name);
        return (
          <Group key={name} gap={4} align="end" wrap="nowrap" className={classes.setting}>
            <Leaf
              path={[...path, ...at]}
              schema={setting === undefined ? {} : schemaOfSetting(setting)}
              required={false}
              label={name}
            />
            {!varied.includes(name) && (
              <ActionIcon aria-label={`Remove ${name}`} onClick={() => remove(name, at)}>
                <IconTrash size={14} />
              </ActionIcon>
            )}
          </Group>
        );
      })}
      <Autocomplete
        size="xs"
        maw={420}
        aria-label="Another setting"
        placeholder="another setting, then Enter"
        data={known.map(({ name }) => name).filter((name) => !rows.has(name))}
        limit={MOST_OFFERED}
        value={typed}
        onChange={setTyped}
        onOptionSubmit={add}
        onKeyDown={(event) => {
          if (event.key === "Enter") add(typed.trim());
        }}
      />
    </Stack>
  );
}
