import { Container, Group, Stack, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactElement, ReactNode } from "react";

interface PageProps {
  title: string;
  /** Beside the title: a state, a count. */
  beside?: ReactNode;
  /** At the right: what one can do here. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A page's title, actions and width. */
export function Page({ title, beside, actions, children }: PageProps): ReactElement {
  useDocumentTitle(`${title} · Weir`);
  return (
    <Container size={1440} px={{ base: "sm", sm: "lg" }} py="md">
      <Stack gap="md">
        <Group justify="space-between" gap="sm">
          <Group gap="sm" miw={0}>
            <Title order={1} style={{ overflowWrap: "anywhere" }}>
              {title}
            </Title>
            {beside}
          </Group>
          {actions !== undefined && <Group gap="xs">{actions}</Group>}
        </Group>
        {children}
      </Stack>
    </Container>
  );
}
