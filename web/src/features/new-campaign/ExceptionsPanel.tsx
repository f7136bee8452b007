import { ActionIcon, Button, Group, NumberInput, Select, Stack, Text } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { useState, type ReactElement } from "react";
import { shortFactor } from "#/shared/levels/factor";
import { count } from "#/shared/units/format";
import { exceptionsOf, withException, withoutException, type Exception } from "./exceptions";
import type { Factor } from "./factors";
import type { Tree } from "./yamlText";

interface PanelProps {
  campaign: Tree;
  text: string;
  factors: readonly Factor[];
  /** null while the text is no YAML. */
  onChange: ((text: string) => void) | null;
}

function wordsOf({ levels }: Pick<Exception, "levels">): string {
  return levels.map(([factor, level]) => `${shortFactor(factor)} = ${level}`).join(", ");
}

function timesOf(replicates: number | null): string {
  if (replicates === null) return "left out";
  return `${count(replicates)} ${replicates === 1 ? "replicate" : "replicates"}`;
}

function Builder(props: PanelProps & { onDone: () => void }): ReactElement {
  const { campaign, text, factors, onChange, onDone } = props;
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const [replicates, setReplicates] = useState(1);
  const none = Object.keys(chosen).length === 0;
  const add = (times: number | null): void => {
    onChange?.(withException(text, campaign, factors, chosen, times));
    onDone();
  };
  return (
    <Stack gap="xs" role="group" aria-label="Another exception">
      <Group gap="xs">
        {factors.map(({ name, levels }) => (
          <Select
            key={name}
            size="xs"
            w={150}
            label={shortFactor(name)}
            placeholder="any"
            clearable
            value={chosen[name] ?? null}
            data={[...new Set(levels.map((level) => level.text))]}
            onChange={(level) => {
              const rest = Object.entries(chosen).filter(([each]) => each !== name);
              setChosen(Object.fromEntries(level === null ? rest : [...rest, [name, level]]));
            }}
          />
        ))}
      </Group>
      <Group gap="xs" align="flex-end">
        <Button size="xs" variant="default" disabled={none} onClick={() => add(null)}>
          Leave these out
        </Button>
        <NumberInput
          size="xs"
          w={92}
          min={1}
          max={1_000_000}
          aria-label="Replicates of these"
          value={replicates}
          onChange={(value) => setReplicates(Number(value) || 1)}
        />
        <Button size="xs" variant="default" disabled={none} onClick={() => add(replicates)}>
          Run these so often
        </Button>
      </Group>
    </Stack>
  );
}

/** Which combinations are left out, and which are run another number of times. */
export function ExceptionsPanel(props: PanelProps): ReactElement | null {
  const { campaign, text, factors, onChange } = props;
  const [open, setOpen] = useState(false);
  const found = exceptionsOf(campaign);
  if (factors.length === 0 && found.length === 0) return null;
  return (
    <Stack gap={6} component="section" aria-label="Exceptions">
      {found.length > 0 && (
        <Text size="xs" fw={600}>
          Exceptions
        </Text>
      )}
      {found.map((exception) => (
        <Group key={exception.at.join("/")} gap="xs" wrap="nowrap" justify="space-between">
          <Text size="xs" style={{ overflowWrap: "anywhere" }}>
            {wordsOf(exception)}:{" "}
            <Text span size="xs" fw={600}>
              {timesOf(exception.replicates)}
            </Text>
          </Text>
          <ActionIcon
            size="sm"
            aria-label={`Remove the exception ${wordsOf(exception)}`}
            disabled={onChange === null}
            onClick={() => onChange?.(withoutException(text, campaign, exception))}
          >
            <IconX size={13} />
          </ActionIcon>
        </Group>
      ))}
      {open ? (
        <Builder {...props} onDone={() => setOpen(false)} />
      ) : (
        onChange !== null &&
        factors.length > 0 && (
          <div>
            <Button
              variant="subtle"
              color="gray"
              size="compact-xs"
              leftSection={<IconPlus size={13} />}
              onClick={() => setOpen(true)}
            >
              Leave out or repeat some combinations
            </Button>
          </div>
        )
      )}
    </Stack>
  );
}
