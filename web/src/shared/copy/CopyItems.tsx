import { Menu } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import type { Table } from "#/shared/plots/csv";
import { waysInQuery } from "#/shared/session/session";
import { curlOf, latexOf, pandasOf, sdkOf, type Asked } from "./formats";

export interface Copied {
  title: string;
  table: () => Table;
  /** The request that the view shows, where it is one. */
  asked?: Asked | undefined;
}

/** More is no text to paste: the CSV has it. */
const MOST_CELLS = 5_000;

/** Entries of a menu that copy a view: as the request that it is, and as its numbers. */
export function CopyItems({ title, table, asked }: Copied): ReactElement {
  const clipboard = useClipboard();
  const { data: ways } = useQuery(waysInQuery);
  const needsToken = ways?.auth !== "none";
  const { origin } = window.location;
  const copy = (name: string, text: string): void => {
    clipboard.copy(text);
    notifications.show({ message: `Copied as ${name}`, autoClose: 2_000 });
  };
  const numbers = (name: string, of: (found: Table) => string): void => {
    const found = table();
    if (found.rows.length * found.columns.length <= MOST_CELLS) copy(name, of(found));
    else
      notifications.show({
        color: "yellow",
        title: "Too much to paste",
        message: `It has ${found.rows.length} rows: download the CSV.`,
      });
  };
  return (
    <>
      <Menu.Label>Copy as</Menu.Label>
      {asked !== undefined && (
        <>
          <Menu.Item onClick={() => copy("curl", curlOf(asked, origin, needsToken))}>
            curl
          </Menu.Item>
          <Menu.Item onClick={() => copy("weir_sdk", sdkOf(asked, origin, needsToken))}>
            weir_sdk
          </Menu.Item>
        </>
      )}
      <Menu.Item onClick={() => numbers("pandas", pandasOf)}>pandas</Menu.Item>
      <Menu.Item onClick={() => numbers("LaTeX", (found) => latexOf(found, title))}>
        LaTeX
      </Menu.Item>
    </>
  );
}
