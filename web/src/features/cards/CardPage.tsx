import { Accordion, Anchor, Code, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { Time } from "#/shared/time/Time";
import { CodeBlock } from "#/shared/ui/CodeBlock";
import { DataTable, type Column } from "#/shared/ui/DataTable";
import { Fact } from "#/shared/ui/Fact";
import { Loaded } from "#/shared/ui/Loaded";
import { Page } from "#/shared/ui/Page";
import { count, number } from "#/shared/units/format";
import { CardActions } from "./CardActions";
import classes from "./cards.module.css";
import { pictureAddress, useCard, type CardDetail } from "./queries";
import { filesOf, nightsOf } from "./madeOf";
import { Nights } from "./Nights";
import { OfNights, Origin } from "./Origin";
import { Reproduced } from "./Reproduced";

const route = getRouteApi("/inside/teams/$team/cards/$card");
const DIGITS = 5;
const PX_OF_COLUMN = 110;

type Row = CardDetail["numbers"]["rows"][number];
type Run = CardDetail["runs"][number];

function cellText(cell: Row[number] | undefined): string {
  if (cell === null || cell === undefined) return "–";
  return typeof cell === "number" ? number(cell, DIGITS) : cell;
}

function Numbers({ of: { columns, rows } }: { of: CardDetail["numbers"] }): ReactElement {
  const shown: Column<{ row: Row; index: number }>[] = columns.map((name, column) => ({
    name,
    title: `${column} ${name}`,
    cell: ({ row }) => cellText(row[column]),
  }));
  return (
    <DataTable
      columns={shown}
      rows={rows.map((row, index) => ({ row, index }))}
      keyOf={({ index }) => index}
      minWidth={PX_OF_COLUMN * columns.length}
      verticalSpacing={3}
    />
  );
}

function columnsOfRuns(team: string): Column<Run>[] {
  return [
    {
      name: "Run",
      w: 90,
      cell: ({ id }) => (
        <Anchor
          renderRoot={(props) => (
            <Link to="/teams/$team/runs/$run" params={{ team, run: String(id) }} {...props} />
          )}
        >
          {id}
        </Anchor>
      ),
    },
    { name: "Key", cell: ({ key }) => <Code>{key}</Code> },
    { name: "Seed", from: "sm", cell: ({ seed }) => seed },
    { name: "State then", w: 120, from: "xs", cell: ({ state }) => state },
  ];
}

function MadeOf({ team, card }: { team: string; card: CardDetail }): ReactElement {
  const nights = nightsOf(card.campaigns);
  return (
    <Accordion variant="contained" multiple keepMounted={false}>
      {card.has_picture && card.numbers.rows.length > 0 && (
        <Accordion.Item value="numbers">
          <Accordion.Control>Numbers, {count(card.numbers.rows.length)} rows</Accordion.Control>
          <Accordion.Panel>
            <Numbers of={card.numbers} />
          </Accordion.Panel>
        </Accordion.Item>
      )}
      {nights.length > 0 && (
        <Accordion.Item value="nights">
          <Accordion.Control>Nights, {count(nights.length)}</Accordion.Control>
          <Accordion.Panel>
            <Nights team={team} of={nights} />
          </Accordion.Panel>
        </Accordion.Item>
      )}
      {filesOf(card.campaigns).map(({ id, title, text }) => (
        <Accordion.Item key={id} value={id}>
          <Accordion.Control>{title}</Accordion.Control>
          <Accordion.Panel>
            <CodeBlock label="Copy the file" text={text} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
      <Accordion.Item value="reproduce">
        <Accordion.Control>Reproduce on your machine</Accordion.Control>
        <Accordion.Panel>
          <Text size="sm" mb="xs" maw={760}>
            Carries its runs out again on your machine, with the lab kernel built there, and
            certifies that every file has the same bytes. Sign in once by <Code>weir login</Code>.
          </Text>
          {nights.length > 0 && <OfNights />}
          <CodeBlock label="Copy the command" text={`weir reproduce ${window.location.href}`} />
        </Accordion.Panel>
      </Accordion.Item>
      <Accordion.Item value="runs">
        <Accordion.Control>
          {card.runs.length === 1 ? "Key of 1 run" : `Keys of ${count(card.runs.length)} runs`}
        </Accordion.Control>
        <Accordion.Panel>
          <DataTable
            columns={columnsOfRuns(team)}
            rows={card.runs}
            keyOf={({ id }) => id}
            verticalSpacing={3}
          />
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}

/** A kept view: its picture and words, and what it was made of. */
export function CardPage(): ReactElement {
  const { team, card: id } = route.useParams();
  const query = useCard(id);
  const card = query.data;
  if (card === undefined)
    return (
      <Page title="Card">
        <Loaded query={query} height={420}>
          {() => null}
        </Loaded>
      </Page>
    );
  return (
    <Page title={card.name} actions={<CardActions team={team} card={card} />}>
      <Stack gap="md">
        {card.text !== "" && <Text className={classes.text}>{card.text}</Text>}
        <Paper p="md">
          {card.has_picture ? (
            <figure className={classes.figure} tabIndex={0}>
              <img src={pictureAddress(card)} alt={card.title} />
            </figure>
          ) : (
            <>
              <Title order={2} mb="xs">
                {card.title}
              </Title>
              <Numbers of={card.numbers} />
            </>
          )}
        </Paper>
        <Group style={{ gap: "8px 32px" }}>
          <Fact name="Kept">
            <Time at={card.created_at} />
          </Fact>
          <Fact name="By">{card.created_by ?? "–"}</Fact>
          <Origin team={team} of={card.campaigns} />
        </Group>
        <Reproduced team={team} card={card.id} />
        <MadeOf team={team} card={card} />
      </Stack>
    </Page>
  );
}
