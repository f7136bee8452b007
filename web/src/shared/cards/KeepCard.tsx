import { Text, Textarea, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useRouterState } from "@tanstack/react-router";
import { useState, type ReactElement } from "react";
import { api } from "#/api/client";
import { notifyProblem } from "#/shared/errors/notify";
import type { Table } from "#/shared/plots/csv";
import { useTeam } from "#/shared/session/session";
import { FormModal } from "#/shared/ui/FormModal";
import { count } from "#/shared/units/format";
import type { Subject } from "./subject";
import { numbersOf, pictureOf, type Drawing } from "./view";

const LONGEST_NAME = 200;

export interface KeepCardProps {
  title: string;
  table: () => Table;
  /** Undefined: the view is a table. */
  drawing: Drawing | undefined;
  subject: Subject;
  onClose: () => void;
}

/** Keeps a view as a card of the team's: asks for its name and what it shows. */
export default function KeepCard(props: KeepCardProps): ReactElement {
  const { title, table, drawing, subject, onClose } = props;
  const team = useTeam();
  const here = useRouterState({ select: ({ location }) => location.href });
  const [name, setName] = useState(title.slice(0, LONGEST_NAME));
  const [text, setText] = useState("");
  const [shown] = useState(table);
  const [drawn, setDrawn] = useState(false);
  const navigate = useNavigate();
  const queries = useQueryClient();
  const make = api.useMutation("post", "/api/v1/teams/{team}/cards", {
    onSuccess: async ({ id }) => {
      onClose();
      await queries.invalidateQueries();
      await navigate({ to: "/teams/$team/cards/$card", params: { team, card: id } });
    },
  });
  const numbers = numbersOf(shown);
  const submit = async (): Promise<void> => {
    setDrawn(true);
    try {
      const picture = drawing === undefined ? null : await pictureOf(drawing);
      if (picture === null && drawing !== undefined)
        notifications.show({ color: "yellow", message: "Its picture is too large to be kept." });
      make.mutate({
        params: { path: { team } },
        body: {
          name,
          text,
          title: title.slice(0, LONGEST_NAME),
          view: subject.view ?? here,
          picture,
          numbers: numbers ?? { columns: [], rows: [] },
          trend: subject.trend ?? null,
          campaigns: [...subject.campaigns],
          runs: [...subject.runs],
        },
      });
    } catch (error) {
      notifyProblem(error);
    } finally {
      setDrawn(false);
    }
  };
  return (
    <FormModal
      opened
      onClose={onClose}
      title="Keep as a card"
      action="Keep it"
      onSubmit={() => void submit()}
      pending={drawn || make.isPending}
      error={make.error}
      disabled={name.trim() === ""}
    >
      <TextInput
        label="Name"
        maxLength={LONGEST_NAME}
        value={name}
        data-autofocus
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Textarea
        label="What it shows"
        rows={4}
        maxLength={20_000}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Text size="xs" c="dimmed">
        Kept with {drawing === undefined ? "its numbers" : "the picture as you see it, its numbers"}
        , the campaign&apos;s file, the kernel&apos;s hash, and the keys of{" "}
        {subject.trend === undefined ? "its runs" : "its nights’ runs at this combination"}.
        {numbers === null &&
          ` Its numbers, ${count(shown.rows.length)} rows, are too many: they are left out.`}
      </Text>
    </FormModal>
  );
}
