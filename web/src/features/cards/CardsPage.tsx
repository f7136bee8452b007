import { Anchor, Badge, Group, Paper, Text } from "@mantine/core";
import { IconCards, IconTable } from "@tabler/icons-react";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { MoreButton } from "#/shared/paging/MoreButton";
import { Time } from "#/shared/time/Time";
import { DocsLink } from "#/shared/docs/DocsLink";
import { Empty } from "#/shared/ui/Empty";
import { Loaded } from "#/shared/ui/Loaded";
import { Page } from "#/shared/ui/Page";
import classes from "./cards.module.css";
import { pictureAddress, useCards, type Card } from "./queries";

const route = getRouteApi("/inside/teams/$team/cards");

function CardTile({ team, card }: { team: string; card: Card }): ReactElement {
  return (
    <Paper component="article" className={classes.tile}>
      <div className={classes.picture}>
        {card.has_picture ? (
          <img src={pictureAddress(card)} alt="" loading="lazy" />
        ) : (
          <IconTable size={36} stroke={1.2} />
        )}
      </div>
      <div className={classes.words}>
        <Anchor
          fw={600}
          className={classes.name}
          renderRoot={(props) => (
            <Link to="/teams/$team/cards/$card" params={{ team, card: card.id }} {...props} />
          )}
        >
          {card.name}
        </Anchor>
        <Text size="xs" c="dimmed" lineClamp={2}>
          {card.text === "" ? card.title : card.text}
        </Text>
        <Group gap="xs" mt={4}>
          <Text size="xs" c="dimmed">
            <Time at={card.created_at} />
          </Text>
          {card.shared && (
            <Badge size="xs" variant="default" tt="none" fw={500}>
              has a link
            </Badge>
          )}
        </Group>
      </div>
    </Paper>
  );
}

/** The views that a team kept. */
export function CardsPage(): ReactElement {
  const { team } = route.useParams();
  const cards = useCards(team);
  return (
    <Page title="Cards" beside={<DocsLink page="platform.html#cards">About cards</DocsLink>}>
      <Loaded query={cards} height={280}>
        {({ pages }) => {
          const items = pages.flatMap((page) => page.items);
          if (items.length === 0)
            return (
              <Paper>
                <Empty icon={<IconCards size={36} stroke={1.4} />} title="Nothing is kept yet">
                  Any figure, map or table of a campaign, and any trend of a schedule, can be kept
                  with a few words: open its menu and choose <i>Keep as a card</i>.
                </Empty>
              </Paper>
            );
          return (
            <>
              <div className={classes.tiles}>
                {items.map((card) => (
                  <CardTile key={card.id} team={team} card={card} />
                ))}
              </div>
              <MoreButton of={cards} />
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}
