import { Button, Group, Modal, Text } from "@mantine/core";
import type { ReactElement } from "react";
import { CopyBlock } from "#/shared/copy/CopyBlock";

interface SecretProps {
  title: string;
  /** null: nothing to tell. */
  secret: string | null;
  onClose: () => void;
  /** How it is used. */
  children: string;
}

/** A secret that the server tells once: it stays until the user says that it is kept. */
export function SecretOnce({ title, secret, onClose, children }: SecretProps): ReactElement {
  return (
    <Modal
      opened={secret !== null}
      onClose={onClose}
      title={title}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Text size="sm" mb="sm">
        This is shown once: copy it now, and keep it as you keep a password.
      </Text>
      <CopyBlock text={secret ?? ""} />
      <Text size="xs" c="dimmed" mt="xs">
        {children}
      </Text>
      <Group justify="flex-end" mt="md">
        <Button variant="default" onClick={onClose}>
          I have it
        </Button>
      </Group>
    </Modal>
  );
}
