import { Button, Group, Modal, Text } from "@mantine/core";
import type { ReactElement, ReactNode } from "react";

interface ConfirmProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** What the button says that does it. */
  action: string;
  /** What the button says that leaves it as it is. */
  keep?: string;
  onConfirm: () => void;
  pending?: boolean;
  /** What will be lost, and what will not. */
  children: ReactNode;
}

/** Asks before what cannot be taken back. */
export function Confirm({
  opened,
  onClose,
  title,
  action,
  keep = "Keep it",
  onConfirm,
  pending = false,
  children,
}: ConfirmProps): ReactElement {
  return (
    <Modal opened={opened} onClose={onClose} title={title}>
      <Text size="sm" component="div">
        {children}
      </Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose} data-autofocus>
          {keep}
        </Button>
        <Button color="red" loading={pending} onClick={onConfirm}>
          {action}
        </Button>
      </Group>
    </Modal>
  );
}
