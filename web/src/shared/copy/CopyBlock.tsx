import { Button, Code, CopyButton, Group } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import type { ReactElement } from "react";

/** Text that is to be carried elsewhere, whole, with the button that copies it. */
export function CopyBlock({ text }: { text: string }): ReactElement {
  return (
    <Group gap="xs" wrap="nowrap" align="stretch">
      <Code block flex={1} style={{ overflowWrap: "anywhere", whiteSpace: "normal" }}>
        {text}
      </Code>
      <CopyButton value={text}>
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
  );
}
