import { ActionIcon, Menu, Tooltip } from "@mantine/core";
import { IconCopy } from "@tabler/icons-react";
import type { ReactElement } from "react";
import { useKeep } from "#/shared/cards/useKeep";
import { CopyItems, type Copied } from "./CopyItems";

/** Copies a view that is no picture. */
export function CopyMenu(copied: Copied): ReactElement {
  const { entry, dialog } = useKeep(copied);
  return (
    <>
      <Menu>
        <Menu.Target>
          <Tooltip label="Copy or keep">
            <ActionIcon aria-label={`Copy ${copied.title}`}>
              <IconCopy size={16} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          <CopyItems {...copied} />
          {entry}
        </Menu.Dropdown>
      </Menu>
      {dialog}
    </>
  );
}
