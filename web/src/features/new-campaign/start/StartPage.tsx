import { Badge, Button, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { IconFilePlus } from "@tabler/icons-react";
import type { ReactElement } from "react";
import { api } from "#/api/client";
import { Time } from "#/shared/time/Time";
import { Loaded } from "#/shared/ui/Loaded";
import { Page } from "#/shared/ui/Page";
import { runCount } from "#/shared/units/format";
import { AskForm } from "../ask/AskForm";
import { fromNothing, fromShipped } from "../begin";
import type { Draft } from "../draft";
import { useKnowledge } from "../knowledge";
import classes from "../page.module.css";

const PAST = 12;

interface StartProps {
  team: string;
  onBegin: (draft: Draft) => void;
  onCampaign: (campaign: string) => void;
}

interface CardProps {
  title: string;
  lines: string;
  note: ReactElement | string;
  onClick: () => void;
}

function Card({ title, lines, note, onClick }: CardProps): ReactElement {
  return (
    <Paper component="button" type="button" p="sm" className={classes.card} onClick={onClick}>
      <Text fw={600} size="sm" style={{ overflowWrap: "anywhere" }}>
        {title}
      </Text>
      <Text size="xs" c="dimmed" lineClamp={3} mt={2}>
        {lines}
      </Text>
      <Text size="xs" mt={6} component="div">
        {note}
      </Text>
    </Paper>
  );
}

/** What to begin from. */
export function StartPage({ team, onBegin, onCampaign }: StartProps): ReactElement {
  const shipped = api.useQuery("get", "/api/v1/library/campaigns", undefined, {
    staleTime: Infinity,
  });
  const knowledge = useKnowledge();
  const past = api.useQuery("get", "/api/v1/teams/{team}/campaigns", {
    params: { path: { team }, query: { limit: PAST } },
  });
  return (
    <Page
      title="New campaign"
      actions={
        <Button leftSection={<IconFilePlus size={15} />} onClick={() => onBegin(fromNothing())}>
          Begin with an empty one
        </Button>
      }
    >
      <Loaded query={knowledge} height={230}>
        {({ schema, choices }) => (
          <AskForm team={team} schema={schema} choices={choices} onEdit={onBegin} />
        )}
      </Loaded>
      <Stack gap="xs" component="section">
        <Title order={2}>Shipped campaigns</Title>
        <Loaded query={shipped} height={220}>
          {(found) => (
            <div className={classes.cards}>
              {found.map((each) => (
                <Card
                  key={each.path}
                  title={each.name}
                  lines={each.description}
                  note={
                    <Group gap={4}>
                      <Badge variant="light" tt="none">
                        {runCount(each.runs)}
                      </Badge>
                      <Text size="xs" c="dimmed" truncate maw={180}>
                        {each.factors.map((factor) => factor.split(".").at(-1)).join(" × ")}
                      </Text>
                    </Group>
                  }
                  onClick={() => onBegin(fromShipped(each))}
                />
              ))}
            </div>
          )}
        </Loaded>
      </Stack>
      <Stack gap="xs" component="section">
        <Title order={2}>Your team&apos;s last campaigns</Title>
        <Loaded query={past} height={120}>
          {({ items }) =>
            items.length === 0 ? (
              <Text size="sm" c="dimmed">
                None was submitted yet.
              </Text>
            ) : (
              <div className={classes.cards}>
                {items.map((each) => (
                  <Card
                    key={each.id}
                    title={each.name}
                    lines={each.description}
                    note={
                      <Text size="xs" c="dimmed" component="span">
                        {runCount(each.run_count)}, submitted <Time at={each.created_at} />
                      </Text>
                    }
                    onClick={() => onCampaign(each.id)}
                  />
                ))}
              </div>
            )
          }
        </Loaded>
      </Stack>
    </Page>
  );
}
