import { Select, Text } from "@mantine/core";
import type { ReactElement } from "react";
import type { Role } from "#/shared/session/session";
import { ROLES } from "./roles";

interface RoleProps {
  label?: string;
  "aria-label"?: string;
  value: Role;
  onChange: (role: Role) => void;
  roles?: readonly (typeof ROLES)[number][];
  size?: "xs" | "sm";
  disabled?: boolean;
}

export function RoleSelect({
  onChange,
  roles = ROLES,
  size = "sm",
  ...props
}: RoleProps): ReactElement {
  return (
    <Select
      {...props}
      size={size}
      allowDeselect={false}
      comboboxProps={{ width: 300, position: "bottom-start" }}
      data={roles.map(({ value, label }) => ({ value, label }))}
      renderOption={({ option }) => (
        <div>
          <Text size="sm">{option.label}</Text>
          <Text size="xs" c="dimmed">
            {ROLES.find(({ value }) => value === option.value)?.may}
          </Text>
        </div>
      )}
      onChange={(role) => {
        if (role !== null) onChange(role);
      }}
    />
  );
}
