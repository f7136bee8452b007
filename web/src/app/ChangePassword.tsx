import { PasswordInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState, type ReactElement } from "react";
import { api } from "#/api/client";
import { useProblemOf } from "#/shared/errors/field";
import { FormModal } from "#/shared/ui/FormModal";

/** Gives oneself another password. */
export default function ChangePassword({ onClose }: { onClose: () => void }): ReactElement {
  const [old, setOld] = useState("");
  const [wanted, setWanted] = useState("");
  const change = api.useMutation("put", "/api/v1/me/password", {
    onSuccess: () => {
      notifications.show({ message: "Your password is changed; other browsers are signed out" });
      onClose();
    },
  });
  const problemOf = useProblemOf(change.error);
  return (
    <FormModal
      opened
      onClose={onClose}
      title="Change your password"
      action="Change it"
      onSubmit={() => change.mutate({ body: { password: old, new_password: wanted } })}
      pending={change.isPending}
      error={change.error}
    >
      <PasswordInput
        label="Password so far"
        required
        data-autofocus
        autoComplete="current-password"
        value={old}
        error={problemOf("password")}
        onChange={(event) => setOld(event.currentTarget.value)}
      />
      <PasswordInput
        label="New password"
        description="Other browsers are signed out; tokens stay."
        required
        autoComplete="new-password"
        value={wanted}
        error={problemOf("new_password")}
        onChange={(event) => setWanted(event.currentTarget.value)}
      />
    </FormModal>
  );
}
