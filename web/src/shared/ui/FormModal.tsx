import { Button, Group, Modal, Stack, type MantineSize } from "@mantine/core";
import type { ReactElement, ReactNode, SubmitEvent } from "react";
import { ProblemAlert } from "#/shared/errors/ProblemAlert";

interface FormProps {
  opened: boolean;
  onClose: () => void;
  title: string;
  action: string;
  onSubmit: () => void;
  pending: boolean;
  error: unknown;
  disabled?: boolean;
  size?: MantineSize;
  children: ReactNode;
}

/** A form in a dialog, with what went wrong the last time. */
export function FormModal({
  opened,
  onClose,
  title,
  action,
  onSubmit,
  pending,
  error,
  disabled = false,
  size = "md",
  children,
}: FormProps): ReactElement {
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Modal opened={opened} onClose={onClose} title={title} size={size}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          {children}
          {error !== null && error !== undefined && <ProblemAlert error={error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Not now
            </Button>
            <Button type="submit" loading={pending} disabled={disabled}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
