import { Kbd, Modal, Table } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Fragment, useEffect, type ReactElement } from "react";
import { listen, useShortcut, useShortcuts } from "./shortcuts";

/** Listens for shortcuts, and lists them on `?`. */
export function ShortcutHelp(): ReactElement {
  const [opened, { open, close }] = useDisclosure();
  const shortcuts = useShortcuts();
  useEffect(listen, []);
  useShortcut("?", "Show these shortcuts", open);
  return (
    <Modal opened={opened} onClose={close} title="Keyboard shortcuts">
      <Table>
        <Table.Tbody>
          {shortcuts.map(({ keys, label }) => (
            <Table.Tr key={`${keys} ${label}`}>
              <Table.Td w={110}>
                {keys.split(" ").map((key, index) => (
                  <Fragment key={key}>
                    {index > 0 && " "}
                    <Kbd>{key}</Kbd>
                  </Fragment>
                ))}
              </Table.Td>
              <Table.Td>{label}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
