import { Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import type { ReactElement } from "react";

/** Adds something to the form that is not there yet. */
export function AddButton({ label, onAdd }: { label: string; onAdd: () => void }): ReactElement {
  return (
    <Button
      variant="subtle"
      color="gray"
      size="compact-xs"
      leftSection={<IconPlus size={13} />}
      onClick={onAdd}
    >
      {label}
    </Button>
  );
}
