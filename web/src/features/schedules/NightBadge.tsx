import { Badge, Stack, Text, Tooltip } from "@mantine/core";
import type { ReactElement } from "react";
import type { Tick } from "./queries";

type Night = NonNullable<Tick["night"]>;

const COLOURS: Record<Night["verdict"], string> = {
  same: "gray",
  "not worse": "teal",
  worse: "red",
  "cannot tell": "yellow",
  "not compared": "gray",
};

function words({ verdict, worse, better }: Night): string {
  if (verdict === "worse") return `${worse} worse`;
  return verdict === "not worse" && better > 0 ? `${better} better` : verdict;
}

/** How a scheduled campaign compares with its baseline; what is worst on hover. */
export function NightBadge({ night }: { night: Night }): ReactElement {
  const told = (
    <Stack gap={4}>
      {night.told.map((line) => (
        <Text key={line} size="xs">
          {line}
        </Text>
      ))}
    </Stack>
  );
  return (
    <Tooltip label={told} multiline maw={480}>
      <Badge variant="light" color={COLOURS[night.verdict]} tt="none" tabIndex={0}>
        {words(night)}
      </Badge>
    </Tooltip>
  );
}
