import { MultiSelect } from "@mantine/core";
import { useState, type ReactElement } from "react";
import { api } from "#/api/client";

interface FieldProps {
  team: string;
  /** Addresses. */
  value: string[];
  onChange: (value: string[]) => void;
  error: string | undefined;
}

/** Which members are told of nights that are worse. */
export function MailField({ team, value, onChange, error }: FieldProps): ReactElement {
  const [opened, setOpened] = useState(false);
  const members = api.useQuery(
    "get",
    "/api/v1/teams/{team}/members",
    { params: { path: { team }, query: { limit: 500 } } },
    { enabled: opened },
  );
  const found = (members.data?.items ?? []).map(({ email, name }) => ({
    value: email,
    label: `${name}, ${email}`,
  }));
  const others = value.filter((email) => found.every((each) => each.value !== email));
  return (
    <MultiSelect
      label="Told by e-mail of worse nights"
      description="Members of the team."
      placeholder={value.length === 0 ? "nobody" : ""}
      size="sm"
      searchable
      clearable
      hidePickedOptions
      nothingFoundMessage={members.isLoading ? "asking for the members" : "nobody else"}
      data={[...found, ...others.map((email) => ({ value: email, label: email }))]}
      value={value}
      error={error}
      onDropdownOpen={() => setOpened(true)}
      onChange={onChange}
    />
  );
}
