import { Textarea, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { api } from "#/api/client";
import { FormModal } from "#/shared/ui/FormModal";
import type { Card } from "./queries";

/** Another name, other words. */
export function EditCard({ card, onClose }: { card: Card; onClose: () => void }): ReactElement {
  const [name, setName] = useState(card.name);
  const [text, setText] = useState(card.text);
  const queries = useQueryClient();
  const change = api.useMutation("patch", "/api/v1/cards/{card}", {
    onSuccess: async () => {
      await queries.invalidateQueries();
      onClose();
    },
  });
  return (
    <FormModal
      opened
      onClose={onClose}
      title={`Edit ${card.name}`}
      action="Save"
      onSubmit={() => change.mutate({ params: { path: { card: card.id } }, body: { name, text } })}
      pending={change.isPending}
      error={change.error}
      disabled={name.trim() === ""}
    >
      <TextInput
        label="Name"
        maxLength={200}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Textarea
        label="What it shows"
        rows={6}
        maxLength={20_000}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </FormModal>
  );
}
