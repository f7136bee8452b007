import { Button, Text } from "@mantine/core";
import type { ReactElement } from "react";
import { useMay } from "#/shared/session/session";
import { useCompareWith, type Schedule } from "./queries";

/** Makes a campaign what those of a schedule are compared with from now on. */
export function TakeAsBaseline({
  schedule,
  campaign,
}: {
  schedule: Schedule;
  campaign: string;
}): ReactElement | null {
  const choose = useCompareWith();
  const may = useMay("submit");
  if (schedule.baseline === campaign)
    return (
      <Text size="xs" c="dimmed">
        the baseline
      </Text>
    );
  if (!may) return null;
  return (
    <Button
      size="compact-xs"
      variant="subtle"
      loading={choose.isPending}
      onClick={() =>
        choose.mutate({ params: { path: { schedule: schedule.id } }, body: { baseline: campaign } })
      }
    >
      take as baseline
    </Button>
  );
}
