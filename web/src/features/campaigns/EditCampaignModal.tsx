import { TagsInput, Textarea, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { api } from "#/api/client";
import type { Campaign } from "#/shared/campaign/moving";
import { useProblemOf } from "#/shared/errors/field";
import { useTeam } from "#/shared/session/session";
import { FormModal } from "#/shared/ui/FormModal";
import { useTags } from "./queries";

const MOST_TAGS = 20;
const LONGEST_TAG = 40;

/** Its name, tags and notes; its runs do not change. */
export default function EditCampaignModal(props: {
  campaign: Campaign;
  onClose: () => void;
}): ReactElement {
  const { campaign, onClose } = props;
  const [name, setName] = useState(campaign.name);
  const [tags, setTags] = useState(campaign.tags);
  const [notes, setNotes] = useState(campaign.notes);
  const known = useTags(useTeam());
  const queries = useQueryClient();
  const change = api.useMutation("patch", "/api/v1/campaigns/{campaign}", {
    onSuccess: async () => {
      await queries.invalidateQueries();
      onClose();
    },
  });
  const problemOf = useProblemOf(change.error);
  return (
    <FormModal
      opened
      onClose={onClose}
      title={`Edit ${campaign.name}`}
      action="Save"
      onSubmit={() =>
        change.mutate({ params: { path: { campaign: campaign.id } }, body: { name, tags, notes } })
      }
      pending={change.isPending}
      error={change.error}
    >
      <TextInput
        label="Name"
        description="In lists and reports; its document keeps its own."
        value={name}
        error={problemOf("name")}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <TagsInput
        label="Tags"
        description="Lists filter by them. Enter ends one."
        data={known.data?.items.map(({ tag }) => tag) ?? []}
        maxTags={MOST_TAGS}
        maxLength={LONGEST_TAG}
        acceptValueOnBlur
        value={tags}
        error={problemOf("tags")}
        onChange={setTags}
      />
      <Textarea
        label="Notes"
        rows={6}
        value={notes}
        onChange={(event) => setNotes(event.currentTarget.value)}
      />
    </FormModal>
  );
}
