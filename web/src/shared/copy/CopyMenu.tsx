import { ActionIcon, Menu, Tooltip } from "@mantine/core";
import { IconCopy } from "@tabler/icons-react";
import type { ReactElement } from "react";
import { CopyItems, type Copied } from "./CopyItems";

/** Copies a view that is no picture. */
export function CopyMenu(copied: Copied): ReactElement {
  return (
    <Menu>
      <Menu.Target>
        <Tooltip label="Copy">
          <ActionIcon aria-label={`Copy ${copied.title}`}>
            <IconCopy size={16} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <CopyItems {...copied} />
      </Menu.Dropdown>
    </Menu>
  );
}
