import { Progress, Text } from "@mantine/core";
import type { ReactElement } from "react";
import type { Schema } from "#/api/client";

/** How far the kernel is that a campaign's runs wait for. */
export function KernelBuilding({ build }: { build: Schema<"KernelBuild"> }): ReactElement {
  const { number, of, done, total, what, host } = build;
  const name = of > 1 ? `Building kernel ${number} of ${of}` : "Building its kernel";
  return (
    <div>
      <Text size="sm" mt="sm">
        {name} on {host}
        {total > 0 && `, ${Math.round((100 * done) / total)} %`}
      </Text>
      <Progress value={total > 0 ? (100 * done) / total : 0} aria-label={name} my={4} />
      <Text size="xs" c="dimmed" truncate>
        {what}
      </Text>
    </div>
  );
}
