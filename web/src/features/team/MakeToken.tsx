import { Select, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { api } from "#/api/client";
import { useProblemOf } from "#/shared/errors/field";
import { useMe, type Role } from "#/shared/session/session";
import { FormModal } from "#/shared/ui/FormModal";
import { RoleSelect } from "./RoleSelect";
import { rolesUpTo } from "./roles";

const NEVER = "never";
const EXPIRIES = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "365", label: "a year" },
  { value: NEVER, label: "does not expire" },
];

interface MakeProps {
  team: string;
  onClose: () => void;
  /** Called with the secret. */
  onMade: (secret: string) => void;
}

export function MakeToken({ team, onClose, onMade }: MakeProps): ReactElement {
  const [name, setName] = useState("");
  const [scope, setScope] = useState<Role>("read");
  const [expiry, setExpiry] = useState("90");
  const role = useMe().teams.find(({ slug }) => slug === team)?.role;
  const queries = useQueryClient();
  const make = api.useMutation("post", "/api/v1/teams/{team}/tokens", {
    onSuccess: async ({ secret }) => {
      onMade(secret);
      onClose();
      await queries.invalidateQueries();
    },
  });
  const problemOf = useProblemOf(make.error);
  return (
    <FormModal
      opened
      onClose={onClose}
      title="New token"
      action="Make it"
      onSubmit={() =>
        make.mutate({
          params: { path: { team } },
          body: { name, scope, expires_in_days: expiry === NEVER ? null : Number(expiry) },
        })
      }
      pending={make.isPending}
      error={make.error}
    >
      <TextInput
        label="Name"
        description="What will use it."
        placeholder="nightly CI"
        required
        data-autofocus
        value={name}
        error={problemOf("name")}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <RoleSelect label="May" value={scope} onChange={setScope} roles={rolesUpTo(role)} />
      <Select
        label="Expires after"
        size="sm"
        allowDeselect={false}
        data={EXPIRIES}
        value={expiry}
        onChange={(next) => setExpiry(next ?? "90")}
      />
    </FormModal>
  );
}
