import { ActionIcon, Menu, Tooltip } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import type { ReactElement } from "react";
import { csvOf, type Table } from "./csv";
import { fileName, save } from "./save";

interface DownloadMenuProps {
  title: string;
  svg: () => Promise<string>;
  png: () => Promise<Blob>;
  table: () => Table;
}

/** A picture as SVG and PNG, and its data as CSV. */
export function DownloadMenu({ title, svg, png, table }: DownloadMenuProps): ReactElement {
  const name = fileName(title);
  return (
    <Menu>
      <Menu.Target>
        <Tooltip label="Download">
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
      </Menu.Dropdown>
    </Menu>
  );
}
