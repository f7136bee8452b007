import { Chip, Group } from "@mantine/core";
import type { ReactElement } from "react";

interface ClientChipsProps {
  clients: readonly number[];
  value: number;
  onChange: (client: number) => void;
}

/** Whose curves are shown, of clients that may be many: on as many lines as they need. */
export function ClientChips({ clients, value, onChange }: ClientChipsProps): ReactElement {
  return (
    <Group gap={6} mb="sm" role="radiogroup" aria-label="Whose curves">
      <Chip.Group value={String(value)} onChange={(next) => onChange(Number(next))}>
        {clients.map((client) => (
          <Chip key={client} value={String(client)} size="xs" variant="light">
            client {client}
          </Chip>
        ))}
      </Chip.Group>
    </Group>
  );
}
