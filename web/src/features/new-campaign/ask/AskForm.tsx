import {
  Button,
  Group,
  NumberInput,
  Paper,
  Select,
  Stack,
  Text,
  TextInput,
  Title,
} from "@mantine/core";
import { IconPencil, IconScale } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, useState, type ReactElement } from "react";
import { api } from "#/api/client";
import { ProblemAlert } from "#/shared/errors/ProblemAlert";
import { MetricSelect } from "#/shared/metrics/MetricSelect";
import { count, duration } from "#/shared/units/format";
import { bodyOf, useCheck } from "../check";
import { suggestions, type Choices } from "../choices";
import { newDraft, type Draft } from "../draft";
import { sentenceOf } from "../editor/diagnostics";
import type { JsonSchema } from "../schema";
import { campaignOf, FIRST, PATHS, SUBJECTS, type Question } from "./question";

interface AskFormProps {
  team: string;
  schema: JsonSchema;
  choices: Choices;
  /** It is to be written on as a campaign. */
  onEdit: (draft: Draft) => void;
}

/** Two things to compare, a link and players; the answer takes as many seeds as it needs. */
export function AskForm({ team, schema, choices, onEdit }: AskFormProps): ReactElement {
  const navigate = useNavigate();
  const [question, setQuestion] = useState(FIRST);
  const change = (next: Partial<Question>): void => setQuestion((now) => ({ ...now, ...next }));
  const draft = useMemo(
    () => newDraft({ origin: "a question", text: campaignOf(question) }),
    [question],
  );
  const check = useCheck(team, draft);
  const submit = api.useMutation("post", "/api/v1/teams/{team}/campaigns", {
    onSuccess: ({ id }) =>
      navigate({ to: "/teams/$team/campaigns/$campaign", params: { team, campaign: id } }),
  });
  const levels = suggestions(schema, choices, PATHS[question.subject].split("."));
  const metrics = choices.metrics.filter(({ better }) => better !== null);
  const { data: valid } = check.validation;
  const { data: cost } = check.estimate;
  const ready = check.settled && valid?.valid === true && cost?.allowed !== false;
  const text = (label: string, name: "rate" | "rtt" | "jitter" | "queue" | "duration") => (
    <TextInput
      size="xs"
      label={label}
      w={104}
      value={question[name]}
      onChange={({ currentTarget }) => change({ [name]: currentTarget.value })}
    />
  );
  return (
    <Paper p="md" component="section" aria-labelledby="ask">
      <Title order={2} id="ask">
        Does one beat the other?
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        Both are run side by side, seed after seed, until it can be told: one may look all the
        while, and a yes or no is wrong in 1 of 20 at most.
      </Text>
      <Stack gap="sm">
        <Group gap="sm" align="flex-end">
          <Select
            label="Compare"
            w={190}
            allowDeselect={false}
            value={question.subject}
            data={[...SUBJECTS]}
            onChange={(next) => {
              const subject = SUBJECTS.find((each) => each === next) ?? FIRST.subject;
              const known = suggestions(schema, choices, PATHS[subject].split("."));
              const [beat = "", does = ""] =
                subject === FIRST.subject ? [FIRST.beat, FIRST.does] : known;
              change({ subject, does, beat });
            }}
          />
          <Select
            label="Does"
            w={170}
            searchable
            allowDeselect={false}
            value={question.does}
            data={levels.filter((each) => each !== question.beat)}
            onChange={(does) => does !== null && change({ does })}
          />
          <Select
            label="beat"
            w={170}
            searchable
            allowDeselect={false}
            value={question.beat}
            data={levels.filter((each) => each !== question.does)}
            onChange={(beat) => beat !== null && change({ beat })}
          />
          <MetricSelect
            label="for"
            metrics={metrics}
            value={question.metric}
            onChange={(metric) => change({ metric })}
          />
          <NumberInput
            size="xs"
            label="by at least, %"
            w={120}
            min={0}
            max={1000}
            value={question.mattersPercent}
            onChange={(value) => change({ mattersPercent: Number(value) || 0 })}
          />
        </Group>
        <Group gap="sm" align="flex-end">
          {text("Link", "rate")}
          {text("Round trip", "rtt")}
          {text("its jitter", "jitter")}
          {text("Queue", "queue")}
          <NumberInput
            size="xs"
            label="Players"
            w={84}
            min={1}
            max={100}
            value={question.players}
            onChange={(value) => change({ players: Number(value) || 1 })}
          />
          {question.subject !== "player" && (
            <Select
              label="of kind"
              w={170}
              searchable
              allowDeselect={false}
              value={question.player}
              data={choices.players.map(({ name }) => name)}
              onChange={(player) => player !== null && change({ player })}
            />
          )}
          {text("of film", "duration")}
          <NumberInput
            size="xs"
            label="Seeds at most"
            w={120}
            min={1}
            max={1000}
            value={question.budget}
            onChange={(value) => change({ budget: Number(value) || 1 })}
          />
        </Group>
        {check.settled &&
          valid?.problems.slice(0, 3).map((problem) => (
            <Text
              key={`${problem.path} ${problem.remedy}`}
              size="sm"
              c="var(--weir-failed)"
              role="alert"
            >
              {problem.path.replace(/^experiment\./, "")}: {sentenceOf(problem)}
            </Text>
          ))}
        {submit.error && <ProblemAlert error={submit.error} />}
        <Group gap="sm">
          <Button
            leftSection={<IconScale size={16} />}
            disabled={!ready}
            loading={submit.isPending}
            onClick={() => submit.mutate({ params: { path: { team } }, body: bodyOf(draft) })}
          >
            Ask
          </Button>
          <Button
            variant="default"
            leftSection={<IconPencil size={15} />}
            onClick={() => onEdit(draft)}
          >
            Edit as a campaign
          </Button>
          <Text size="xs" c="dimmed" aria-live="polite">
            {ready && cost !== undefined
              ? `${count(valid.runs ?? 0)} runs at most, about ${duration(cost.wall_s)}; fewer where the difference is clear.`
              : ""}
            {cost?.allowed === false && cost.refusals.join(" ")}
          </Text>
        </Group>
      </Stack>
    </Paper>
  );
}
