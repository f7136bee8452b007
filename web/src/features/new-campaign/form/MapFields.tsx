import { ActionIcon, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useState, type ReactElement } from "react";
import { playersAt, schemaOfOption, sharedOptions, TREE } from "../playerOptions";
import type { JsonSchema } from "../schema";
import { asTree, valueAt, type Path } from "../yamlText";
import { AddButton } from "./AddButton";
import { useForm } from "./context";
import classes from "./form.module.css";
import { labelOf, Leaf } from "./Leaf";
import { SettingsFields } from "./SettingsFields";

/** The players whose options these are: one, or those that a factor chooses from. */
function usePlayers(path: Path): readonly string[] {
  const { campaign, factors } = useForm();
  return path.at(-1) === "options" ? playersAt(campaign, factors, path.slice(0, -1)) : [];
}

/** A mapping with keys of the user's own; the options of a known player are there at once. */
export function MapFields({ path, schema }: { path: Path; schema: JsonSchema }): ReactElement {
  const { campaign, choices, factors, set } = useForm();
  const [open, setOpen] = useState(false);
  const [key, setKey] = useState("");
  const players = usePlayers(path);
  const name =
    players.length === 0 ? labelOf(path.at(-1) ?? "") : `options of ${players.join(", ")}`;
  const there = Object.keys(asTree(valueAt(campaign, path)));
  const known = sharedOptions(choices, players);
  const own = there.filter((each) => !known.some((option) => option.name === each));
  const above = `${path.slice(1).join(".")}.`;
  const varied = factors.some(({ paths }) => paths.some((each) => each.startsWith(above)));
  if (!open && !varied && there.length === 0)
    return (
      <div className={classes.wide}>
        <AddButton label={name} onAdd={() => setOpen(true)} />
      </div>
    );
  return (
    <Stack gap={6} className={classes.inner} role="group" aria-label={name}>
      <Text size="xs" fw={600} c="dimmed">
        {name}
      </Text>
      {schema.description !== undefined && known.length === 0 && (
        <Text size="xs" c="dimmed">
          {schema.description}
        </Text>
      )}
      <div className={classes.grid}>
        {known.map((option) =>
          option.kind === TREE ? (
            <SettingsFields
              key={option.name}
              path={[...path, option.name]}
              schema={{ description: option.text }}
            />
          ) : (
            <Leaf
              key={option.name}
              path={[...path, option.name]}
              schema={schemaOfOption(option)}
              required={false}
            />
          ),
        )}
        {own.map((each) => (
          <Group key={each} gap={4} align="end" wrap="nowrap">
            <Leaf path={[...path, each]} schema={{}} required={false} label={each} />
            <ActionIcon
              aria-label={`Remove ${each}`}
              onClick={() => set([...path, each], undefined)}
            >
              <IconTrash size={14} />
            </ActionIcon>
          </Group>
        ))}
      </div>
      {known.length === 0 && (
        <TextInput
          size="xs"
          maw={320}
          aria-label={`Another key of ${name}`}
          placeholder="another key, then Enter"
          value={key}
          onChange={(event) => setKey(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || key.trim() === "") return;
            set([...path, key.trim()], "");
            setKey("");
          }}
        />
      )}
    </Stack>
  );
}
