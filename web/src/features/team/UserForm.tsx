import { Checkbox, PasswordInput, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState, type ReactElement } from "react";
import { api, type Schema } from "#/api/client";
import { useProblemOf } from "#/shared/errors/field";
import { FormModal } from "#/shared/ui/FormModal";

interface FormProps {
  /** null: a new one. */
  user: Schema<"UserOut"> | null;
  onClose: () => void;
}

/** Makes or changes an account. */
export function UserForm({ user, onClose }: FormProps): ReactElement {
  const [email, setEmail] = useState(user?.email ?? "");
  const [name, setName] = useState(user?.name ?? "");
  const [password, setPassword] = useState("");
  const [isAdmin, setIsAdmin] = useState(user?.is_admin ?? false);
  const [disabled, setDisabled] = useState(user?.disabled ?? false);
  const queries = useQueryClient();
  const settled = {
    onSuccess: async () => {
      await queries.invalidateQueries();
      onClose();
    },
  };
  const make = api.useMutation("post", "/api/v1/users", settled);
  const change = api.useMutation("patch", "/api/v1/users/{user}", settled);
  const error = make.error ?? change.error;
  const problemOf = useProblemOf(error);
  const common = { name, is_admin: isAdmin, ...(password === "" ? {} : { password }) };
  return (
    <FormModal
      opened
      onClose={onClose}
      title={user === null ? "New user" : `Edit ${user.email}`}
      action={user === null ? "Make the account" : "Save"}
      onSubmit={() => {
        if (user === null) make.mutate({ body: { email, ...common } });
        else change.mutate({ params: { path: { user: user.id } }, body: { ...common, disabled } });
      }}
      pending={make.isPending || change.isPending}
      error={error}
    >
      {user === null && (
        <TextInput
          label="E-mail"
          type="email"
          required
          data-autofocus
          value={email}
          error={problemOf("email")}
          onChange={(event) => setEmail(event.currentTarget.value)}
        />
      )}
      <TextInput
        label="Name"
        required
        value={name}
        error={problemOf("name")}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <PasswordInput
        label={user === null ? "Password" : "New password"}
        description={
          user === null
            ? "Empty: signs in by single sign-on only."
            : "Empty: stays as it is. A new one signs the user out everywhere."
        }
        autoComplete="new-password"
        value={password}
        error={problemOf("password")}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Checkbox
        label="Administrator of the installation"
        description="Manages users, teams and quotas."
        checked={isAdmin}
        onChange={(event) => setIsAdmin(event.currentTarget.checked)}
      />
      {user !== null && (
        <Checkbox
          label="Disabled"
          description="May not sign in; the user's tokens rest."
          checked={disabled}
          onChange={(event) => setDisabled(event.currentTarget.checked)}
        />
      )}
    </FormModal>
  );
}
