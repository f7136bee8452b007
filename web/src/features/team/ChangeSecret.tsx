import { Select, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { api } from "#/api/client";
import { FormModal } from "#/shared/ui/FormModal";

const DAY = "24";
/** Hours for which the secret so far signs, too. */
const OVERLAPS = [
  { value: "0", label: "no longer: it leaked" },
  { value: "1", label: "an hour" },
  { value: DAY, label: "a day" },
  { value: "168", label: "a week" },
];

interface ChangeProps {
  webhook: string;
  onClose: () => void;
  /** Called with the new secret. */
  onMade: (secret: string) => void;
}

/** Gives a webhook a new secret, while the old one may go on for a time. */
export function ChangeSecret({ webhook, onClose, onMade }: ChangeProps): ReactElement {
  const [hours, setHours] = useState(DAY);
  const queries = useQueryClient();
  const change = api.useMutation("post", "/api/v1/webhooks/{webhook}/secret", {
    onSuccess: async ({ secret }) => {
      onMade(secret);
      onClose();
      await queries.invalidateQueries();
    },
  });
  return (
    <FormModal
      opened
      onClose={onClose}
      title="Change the secret"
      action="Make a new one"
      onSubmit={() =>
        change.mutate({
          params: { path: { webhook } },
          body: { old_for_hours: Number(hours) },
        })
      }
      pending={change.isPending}
      error={change.error}
    >
      <Text size="sm">
        Messages are signed by the new secret at once, and for some time by the old one as well, so
        that the receiver can change over.
      </Text>
      <Select
        label="The old one signs for"
        size="sm"
        allowDeselect={false}
        data={OVERLAPS}
        value={hours}
        onChange={(next) => setHours(next ?? DAY)}
      />
    </FormModal>
  );
}
