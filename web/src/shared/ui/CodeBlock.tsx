import { ActionIcon, Code, CopyButton, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import type { ReactElement } from "react";

interface CodeBlockProps {
  text: string;
  /** What the button says. */
  label: string;
}

/** Text of a fixed width that one wants to take along. */
export function CodeBlock({ text, label }: CodeBlockProps): ReactElement {
  return (
    <div style={{ position: "relative" }}>
      <Code block pr={44} tabIndex={0} style={{ maxHeight: 480, overflow: "auto" }}>
        {text}
      </Code>
      <CopyButton value={text}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? "Copied" : label}>
            <ActionIcon
              aria-label={label}
              onClick={copy}
              variant="default"
              style={{ position: "absolute", top: 6, right: 6 }}
            >
              {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </div>
  );
}
