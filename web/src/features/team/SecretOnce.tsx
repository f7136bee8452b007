import { Button, Code, CopyButton, Group, Modal, Text } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import type { ReactElement } from "react";

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
      <Text size="sm">This is shown once: copy it now, and keep it as you keep a password.</Text>
      <Group mt="sm" gap="xs" wrap="nowrap" align="stretch">
        <Code block flex={1} style={{ overflowWrap: "anywhere", whiteSpace: "normal" }}>
          {secret}
        </Code>
        <CopyButton value={secret ?? ""}>
          {({ copied, copy }) => (
            <Button
              h="auto"
              variant={copied ? "light" : "filled"}
              leftSection={copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
              onClick={copy}
            >
              {copied ? "Copied" : "Copy"}
            </Button>
          )}
        </CopyButton>
      </Group>
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
