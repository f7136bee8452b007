import { Badge, Group, Text } from "@mantine/core";
import type { ReactElement } from "react";
import { CopyMenu } from "#/shared/copy/CopyMenu";
import type { Asked } from "#/shared/copy/formats";
import type { Table } from "#/shared/plots/csv";

interface HeadlineProps {
  /** How far it is, or how it ended. */
  word: string;
  /** A CSS variable. */
  colour: string;
  sentence: string;
  table: () => Table;
  asked: Asked;
}

/** What a campaign has told so far, in a word and a sentence, to be taken along. */
export function Headline({ word, colour, sentence, table, asked }: HeadlineProps): ReactElement {
  return (
    <Group gap="sm" align="flex-start" wrap="nowrap">
      <Badge
        tt="none"
        size="lg"
        variant="outline"
        c="var(--mantine-color-text)"
        style={{ borderColor: `var(${colour})`, flexShrink: 0 }}
      >
        {word}
      </Badge>
      <Text fw={600} aria-live="polite" flex={1}>
        {sentence}
      </Text>
      <CopyMenu title={sentence} table={table} asked={asked} />
    </Group>
  );
}
