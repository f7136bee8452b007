import { Center, Stack, Text } from "@mantine/core";
import type { ReactElement, ReactNode } from "react";

interface EmptyProps {
  icon: ReactNode;
  title: string;
  children?: ReactNode;
}

/** Where there is nothing yet: what would be here, and how to get it. */
export function Empty({ icon, title, children }: EmptyProps): ReactElement {
  return (
    <Center py={56} px="md">
      <Stack align="center" gap={6} maw={460}>
        <Text c="dimmed" component="div">
          {icon}
        </Text>
        <Text fw={600}>{title}</Text>
        <Text c="dimmed" size="sm" ta="center" component="div">
          {children}
        </Text>
      </Stack>
    </Center>
  );
}
