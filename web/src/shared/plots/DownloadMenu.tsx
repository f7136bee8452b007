import { ActionIcon, Menu, Tooltip } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import type { ReactElement } from "react";
import { CopyItems, type Copied } from "#/shared/copy/CopyItems";
import { useKeep } from "#/shared/cards/useKeep";
import { csvOf } from "./csv";
import { fileName, save } from "./save";

interface DownloadMenuProps extends Copied {
  svg: () => Promise<string>;
  png: () => Promise<Blob>;
}

/** A picture as SVG and PNG, its data as CSV, and both as text to paste. */
export function DownloadMenu({ title, svg, png, table, asked }: DownloadMenuProps): ReactElement {
  const name = fileName(title);
  const { entry, dialog } = useKeep({ title, table, drawing: { svg, png } });
  return (
    <>
      <Menu>
        <Menu.Target>
          <Tooltip label="Download or copy">
            <ActionIcon aria-label={`Download ${title}`}>
              <IconDownload size={16} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            onClick={() => void svg().then((text) => save(`${name}.svg`, text, "image/svg+xml"))}
          >
            Picture (SVG)
          </Menu.Item>
          <Menu.Item
            onClick={() => void png().then((blob) => save(`${name}.png`, blob, "image/png"))}
          >
            Picture (PNG)
          </Menu.Item>
          <Menu.Item onClick={() => save(`${name}.csv`, csvOf(table()), "text/csv")}>
            Data (CSV)
          </Menu.Item>
          <Menu.Divider />
          <CopyItems title={title} table={table} asked={asked} />
          {entry}
        </Menu.Dropdown>
      </Menu>
      {dialog}
    </>
  );
}
