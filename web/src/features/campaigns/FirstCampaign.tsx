import { Button, Group, Stack, Text } from "@mantine/core";
import { IconArrowRight, IconDevices, IconRouter, IconServer } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { Fragment, type ReactElement } from "react";
import { Empty } from "#/shared/ui/Empty";

const PATH = [
  [IconServer, "a server", "congestion control"],
  [IconRouter, "a gateway", "link, queue, shaping"],
  [IconDevices, "players", "choose the quality"],
] as const;

function Drawing(): ReactElement {
  return (
    <Group justify="center" gap="md" wrap="nowrap">
      {PATH.map(([Icon, name, what], index) => (
        <Fragment key={name}>
          {index > 0 && <IconArrowRight size={18} stroke={1.4} aria-hidden />}
          <Stack gap={2} align="center">
            <Icon size={32} stroke={1.3} aria-hidden />
            <Text size="xs" fw={600}>
              {name}
            </Text>
            <Text size="xs" c="dimmed" ta="center">
              {what}
            </Text>
          </Stack>
        </Fragment>
      ))}
    </Group>
  );
}

/** What this is, and the shortest way to a first answer. */
export function FirstCampaign({ team, may }: { team: string; may: boolean }): ReactElement {
  return (
    <Empty icon={<Drawing />} title="No campaigns yet">
      <Stack gap="sm" align="center">
        <span>
          Weir streams films over real Linux TCP through links, queues and shaping of your choice,
          many times over, and says what each choice does to the viewers. A campaign varies parts of
          an experiment and runs every combination.
        </span>
        {may && (
          <>
            <Button
              renderRoot={(props) => (
                <Link to="/teams/$team/campaigns/new" params={{ team }} {...props} />
              )}
            >
              Ask: does X beat Y?
            </Button>
            <Button
              variant="default"
              renderRoot={(props) => (
                <Link
                  to="/teams/$team/campaigns/new"
                  params={{ team }}
                  search={{ shipped: "quickstart.yaml" }}
                  {...props}
                />
              )}
            >
              Begin with the quickstart: does shaping calm two players?
            </Button>
          </>
        )}
      </Stack>
    </Empty>
  );
}
