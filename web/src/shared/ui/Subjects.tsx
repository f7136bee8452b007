import { Code, Group } from "@mantine/core";
import type { ReactElement } from "react";
import { versionText } from "./versions";

/** Files under test, each with the version that it is of; a commit in short, whole on hover. */
export function Subjects({ of }: { of: Readonly<Record<string, string>> }): ReactElement {
  return (
    <Group gap={6}>
      {Object.entries(of).map(([name, version]) => (
        <Code key={name} title={`${name} ${version}`}>
          {name} {versionText(version)}
        </Code>
      ))}
    </Group>
  );
}
