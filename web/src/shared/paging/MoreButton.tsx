import { Button, Group } from "@mantine/core";
import type { ReactElement } from "react";

interface MoreProps {
  of: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  label?: string;
}

/** Under a list that came in part: the next page of it. */
export function MoreButton({ of, label = "Show older ones" }: MoreProps): ReactElement | null {
  if (!of.hasNextPage) return null;
  return (
    <Group justify="center" p="xs">
      <Button
        variant="default"
        loading={of.isFetchingNextPage}
        onClick={() => void of.fetchNextPage()}
      >
        {label}
      </Button>
    </Group>
  );
}
