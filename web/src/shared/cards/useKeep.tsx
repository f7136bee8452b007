import { Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useRouterState } from "@tanstack/react-router";
import { lazy, Suspense, useContext, type ReactElement } from "react";
import type { Table } from "#/shared/plots/csv";
import { useMay } from "#/shared/session/session";
import { Shown, subjectOf } from "./subject";
import type { Drawing } from "./view";

const KeepCard = lazy(() => import("./KeepCard"));

interface Kept {
  title: string;
  table: () => Table;
  drawing?: Drawing;
}

/** A menu's entry that keeps a view as a card, and the dialog that it opens, which stands outside of
 * the menu; nothing where one may not, or it shows no campaign. */
export function useKeep({ title, table, drawing }: Kept): {
  entry: ReactElement | null;
  dialog: ReactElement | null;
} {
  const [keeping, keep] = useDisclosure();
  const may = useMay("submit");
  const { pathname, search } = useRouterState({ select: ({ location }) => location });
  const ofPage = subjectOf(pathname, search);
  const ofPart = useContext(Shown);
  const subject =
    ofPage === null && ofPart === null ? null : { campaigns: [], runs: [], ...ofPage, ...ofPart };
  if (!may || subject === null) return { entry: null, dialog: null };
  return {
    entry: (
      <>
        <Menu.Divider />
        <Menu.Item onClick={keep.open}>Keep as a card</Menu.Item>
      </>
    ),
    dialog: keeping ? (
      <Suspense fallback={null}>
        <KeepCard
          title={title}
          table={table}
          drawing={drawing}
          subject={subject}
          onClose={keep.close}
        />
      </Suspense>
    ) : null,
  };
}
