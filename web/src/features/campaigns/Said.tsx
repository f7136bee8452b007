import { Badge, Group, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import type { Campaign } from "#/shared/campaign/moving";
import { useTeam } from "#/shared/session/session";
import { Time } from "#/shared/time/Time";

/** A campaign's tags; each leads to the campaigns that have it. */
export function Tags({ tags }: { tags: readonly string[] }): ReactElement | null {
  const team = useTeam();
  if (tags.length === 0) return null;
  return (
    <Group gap={4} component="span" display="inline-flex">
      {tags.map((tag) => (
        <Badge
          key={tag}
          size="sm"
          variant="default"
          tt="none"
          fw={500}
          style={{ cursor: "pointer" }}
          renderRoot={(props) => (
            <Link
              to="/teams/$team/campaigns"
              params={{ team }}
              search={{ tag: [tag] }}
              {...props}
            />
          )}
        >
          {tag}
        </Badge>
      ))}
    </Group>
  );
}

/** What people say of a campaign: its tags, its notes, that it is archived. */
export function Said({ campaign }: { campaign: Campaign }): ReactElement | null {
  const { tags, notes, archived_at: archived } = campaign;
  if (tags.length === 0 && notes === "" && archived === null) return null;
  return (
    <div>
      <Group gap="sm">
        <Tags tags={tags} />
        {archived !== null && (
          <Text size="xs" c="dimmed">
            archived <Time at={archived} />
          </Text>
        )}
      </Group>
      {notes !== "" && (
        <Text
          size="sm"
          maw={860}
          mt={4}
          style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}
        >
          {notes}
        </Text>
      )}
    </div>
  );
}
