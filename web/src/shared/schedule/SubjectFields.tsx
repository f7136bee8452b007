import {
  Button,
  Group,
  Paper,
  PasswordInput,
  Stack,
  Text,
  Textarea,
  TextInput,
} from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import type { ReactElement } from "react";
import { FRESH, isBySsh, keptSecret, type KeptSecrets, type Subject } from "./subjects";

interface FieldsProps {
  value: readonly Subject[];
  /** Those so far, with what they are read with. */
  kept: KeptSecrets;
  onChange: (subjects: Subject[]) => void;
  problemOf: (path: string) => string | undefined;
}

interface SubjectProps {
  number: number;
  subject: Subject;
  kept: "none" | "token" | "key";
  onChange: (change: Partial<Subject>) => void;
  onRemove: () => void;
  /** By the name of its field. */
  problemOf: (field: string) => string | undefined;
}

const AS_IT_IS = "as it is; it is not shown";
const MONOSPACED = { input: { fontFamily: "var(--mantine-font-family-monospace)" } };

function Secret({ subject, kept, onChange, problemOf }: Omit<SubjectProps, "onRemove" | "number">) {
  const problem = problemOf("secret_token") ?? problemOf("secret_key");
  if (isBySsh(subject.repository))
    return (
      <Textarea
        label="Private key"
        description="A deploy key that may read. It is kept, and not shown again."
        placeholder={kept === "key" ? AS_IT_IS : "-----BEGIN OPENSSH PRIVATE KEY-----"}
        size="sm"
        rows={3}
        autoComplete="off"
        spellCheck={false}
        styles={MONOSPACED}
        value={subject.secret_key ?? ""}
        error={problem}
        onChange={(event) => onChange({ secret_key: event.currentTarget.value || null })}
      />
    );
  return (
    <PasswordInput
      label="Token"
      description="That may read it, where it is not public. It is kept, and not shown again."
      placeholder={kept === "token" ? AS_IT_IS : "none"}
      size="sm"
      autoComplete="off"
      value={subject.secret_token ?? ""}
      error={problem}
      aria-invalid={problem !== undefined}
      onChange={(event) => onChange({ secret_token: event.currentTarget.value || null })}
    />
  );
}

function SubjectCard(props: SubjectProps): ReactElement {
  const { number, subject, onChange, onRemove, problemOf } = props;
  const written = (field: "name" | "branch" | "path", label: string, placeholder: string) => (
    <TextInput
      label={label}
      required
      size="sm"
      placeholder={placeholder}
      value={subject[field]}
      error={problemOf(field)}
      onChange={(event) => onChange({ [field]: event.currentTarget.value })}
    />
  );
  /** A secret goes to the repository that it was given for, and to no other. */
  const move = (repository: string): void =>
    onChange({ repository, secret_token: null, secret_key: null });
  return (
    <Paper p="sm" withBorder role="group" aria-label={`File under test ${number}`}>
      <Stack gap="xs">
        <Group justify="space-between" align="end">
          {written("name", "File of the campaign", "player.py")}
          <Button variant="subtle" size="xs" onClick={onRemove}>
            Take it out
          </Button>
        </Group>
        <TextInput
          label="Repository"
          required
          size="sm"
          placeholder="https://git.example.org/player.git"
          value={subject.repository}
          error={problemOf("repository")}
          onChange={(event) => move(event.currentTarget.value)}
        />
        <Group grow align="start">
          {written("branch", "Branch", "main")}
          {written("path", "Path in it", "build/abr.py")}
        </Group>
        <Secret {...props} />
      </Stack>
    </Paper>
  );
}

/** Which files of a campaign are taken from a git repository each night, and from where. */
export function SubjectFields({ value, kept, onChange, problemOf }: FieldsProps): ReactElement {
  const changed = (at: number, change: Partial<Subject>): Subject[] =>
    value.map((each, place) => (place === at ? { ...each, ...change } : each));
  return (
    <Stack gap="xs">
      <div>
        <Text size="sm" fw={500}>
          Under test from git
        </Text>
        <Text size="xs" c="dimmed">
          Files of the campaign that each night takes from a branch&apos;s newest commit;
          campaign.yaml is the campaign itself.
        </Text>
      </div>
      {value.map((subject, at) => (
        <SubjectCard
          key={at}
          number={at + 1}
          subject={subject}
          kept={keptSecret(subject, kept)}
          onChange={(change) => onChange(changed(at, change))}
          onRemove={() => onChange(value.filter((_, place) => place !== at))}
          problemOf={(field) =>
            problemOf(`subjects.${subject.name}.${field}`) ?? problemOf(`subjects.${at}.${field}`)
          }
        />
      ))}
      <div>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} />}
          onClick={() => onChange([...value, FRESH])}
        >
          Add a file
        </Button>
      </div>
    </Stack>
  );
}
