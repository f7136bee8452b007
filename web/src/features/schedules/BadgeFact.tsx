import { Anchor, Button, CopyButton, Group, Image } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { api, type Schema } from "#/api/client";
import { useMay } from "#/shared/session/session";
import { Fact } from "#/shared/ui/Fact";

/** The picture of the newest verdict for pages elsewhere: made, copied, and ended here. */
export function BadgeFact({
  schedule,
}: {
  schedule: Schema<"ScheduleDetail">;
}): ReactElement | null {
  const queries = useQueryClient();
  const may = useMay("submit");
  const onSuccess = async () => queries.invalidateQueries();
  const make = api.useMutation("post", "/api/v1/schedules/{schedule}/badge", { onSuccess });
  const end = api.useMutation("delete", "/api/v1/schedules/{schedule}/badge", { onSuccess });
  const params = { path: { schedule: schedule.id } };
  const { badge } = schedule;
  if (badge === null && !may) return null;
  if (badge === null)
    return (
      <Fact name="Badge">
        <Button size="compact-xs" variant="default" onClick={() => make.mutate({ params })}>
          make one
        </Button>
      </Fact>
    );
  return (
    <Fact name="Badge">
      <Group gap="xs">
        <Image src={badge} alt="the newest verdict" h={20} w="auto" />
        <CopyButton value={new URL(badge, window.location.href).href}>
          {({ copied, copy }) => (
            <Anchor component="button" size="xs" onClick={copy}>
              {copied ? "copied" : "copy its address"}
            </Anchor>
          )}
        </CopyButton>
        {may && (
          <Anchor component="button" size="xs" onClick={() => end.mutate({ params })}>
            end it
          </Anchor>
        )}
      </Group>
    </Fact>
  );
}
