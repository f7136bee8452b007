import { ActionIcon, Badge, Button, FileButton, Group, Paper, Stack, Text } from "@mantine/core";
import { IconTrash, IconUpload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useState, type DragEvent, type ReactElement } from "react";
import { notifyProblem } from "#/shared/errors/notify";
import { fittingName, namedFiles } from "./fileNames";
import { upload } from "./upload";
import type { Tree } from "./yamlText";
import classes from "./page.module.css";

interface FilesProps {
  team: string;
  campaign: Tree;
  files: Readonly<Record<string, string>>;
  onChange: (files: Record<string, string>) => void;
}

/** The files that the campaign names: which are there, and a place to drop those that are not. */
export function FilesPanel({ team, campaign, files, onChange }: FilesProps): ReactElement {
  const [over, setOver] = useState(false);
  const named = namedFiles(campaign);
  const missing = named.filter((name) => files[name] === undefined);
  const unused = Object.keys(files).filter((name) => !named.includes(name));
  const send = useMutation({
    mutationFn: async (chosen: { name: string; file: File }[]) => {
      const sent: Record<string, string> = {};
      for (const { name, file } of chosen) sent[name] = await upload(team, file);
      return sent;
    },
    onSuccess: (sent) => onChange({ ...files, ...sent }),
    onError: notifyProblem,
  });

  /** A file takes the name that the campaign gives it, folders aside; a lone one what is missing. */
  const take = (chosen: readonly File[]): void => {
    const [lone] = missing;
    send.mutate(
      chosen.map((file) => {
        const byName = named.find((name) => name.split("/").at(-1) === file.name);
        const only = chosen.length === 1 && missing.length === 1 ? lone : undefined;
        return { name: byName ?? only ?? fittingName(file.name), file };
      }),
    );
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    take([...event.dataTransfer.files]);
  };
  return (
    <Paper
      p="md"
      component="section"
      aria-label="Files"
      className={over ? classes.over : undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <Group justify="space-between">
        <Text fw={600}>Files</Text>
        <FileButton multiple onChange={take}>
          {(props) => (
            <Button
              {...props}
              variant="default"
              size="compact-xs"
              loading={send.isPending}
              leftSection={<IconUpload size={13} />}
            >
              Upload
            </Button>
          )}
        </FileButton>
      </Group>
      {named.length + unused.length === 0 ? (
        <Text size="sm" c="dimmed" mt={6}>
          None are named. Drop an ABR (<code>player: ./my_abr.py</code>) or a trace here.
        </Text>
      ) : (
        <Stack gap={4} mt={6}>
          {[...named, ...unused].map((name) => (
            <Group key={name} justify="space-between" wrap="nowrap" gap="xs">
              <Text size="sm" ff="monospace" truncate title={name}>
                {name}
              </Text>
              <Group gap={4} wrap="nowrap">
                {files[name] === undefined ? (
                  <FileButton
                    onChange={(file) => {
                      if (file !== null) send.mutate([{ name, file }]);
                    }}
                  >
                    {(props) => (
                      <Button {...props} size="compact-xs" variant="light" color="red">
                        missing: upload
                      </Button>
                    )}
                  </FileButton>
                ) : (
                  <>
                    <Badge variant="dot" color={named.includes(name) ? "teal" : "gray"} tt="none">
                      {named.includes(name) ? "there" : "not named"}
                    </Badge>
                    <ActionIcon
                      size="sm"
                      aria-label={`Take ${name} away`}
                      onClick={() =>
                        onChange(
                          Object.fromEntries(
                            Object.entries(files).filter(([each]) => each !== name),
                          ),
                        )
                      }
                    >
                      <IconTrash size={14} />
                    </ActionIcon>
                  </>
                )}
              </Group>
            </Group>
          ))}
        </Stack>
      )}
    </Paper>
  );
}
