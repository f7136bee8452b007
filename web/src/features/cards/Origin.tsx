import { Anchor, Code, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { day } from "#/shared/time/format";
import { Fact } from "#/shared/ui/Fact";
import { count, runCount } from "#/shared/units/format";
import { nightsOf } from "./madeOf";
import type { CardDetail } from "./queries";

/** More of them stand in the table of nights alone. */
const MOST_KERNELS = 2;

type Campaigns = CardDetail["campaigns"];

function Kernels({ of }: { of: Campaigns }): ReactElement[] {
  const hashes = [...new Set(of.map(({ kernel_hash: hash }) => hash))];
  if (hashes.length > MOST_KERNELS)
    return [
      <Fact key="" name="Lab kernels">
        {count(hashes.length)}
      </Fact>,
    ];
  return hashes.map((hash) => (
    <Fact key={hash} name="Lab kernel">
      <Code style={{ overflowWrap: "anywhere" }}>{hash.slice(0, 16)}</Code>
    </Fact>
  ));
}

/** Of which campaigns a card is, or of how many nights, and in which lab kernels they ran. */
export function Origin({ team, of }: { team: string; of: Campaigns }): ReactElement {
  const nights = nightsOf(of);
  const [first, last] = [nights[0], nights.at(-1)];
  if (first !== undefined && last !== undefined)
    return (
      <>
        <Fact name={nights.length === 1 ? "Of a night" : `Of ${count(nights.length)} nights`}>
          {[...new Set([day(first.night), day(last.night)])].join(" to ")},{" "}
          {runCount(nights.reduce((sum, { runs }) => sum + runs, 0))}
        </Fact>
        <Kernels of={of} />
      </>
    );
  return (
    <>
      {of.map(({ id, name, runs }) => (
        <Fact key={id} name="Of">
          <Anchor
            renderRoot={(props) => (
              <Link
                to="/teams/$team/campaigns/$campaign"
                params={{ team, campaign: id }}
                {...props}
              />
            )}
          >
            {name}
          </Anchor>
          , {runCount(runs)}
        </Fact>
      ))}
      <Kernels of={of} />
    </>
  );
}

/** What carrying the runs of a trend's card out again does, and what it does not. */
export function OfNights(): ReactElement {
  return (
    <Text size="sm" mb="xs" maw={760}>
      What is reproduced are the runs of its nights at the trend&apos;s combination, one for every
      key: its means and intervals follow from them. A night&apos;s runs need the lab kernel and the
      programs that they were made with. Verdicts beside a baseline are kept as they were.
    </Text>
  );
}
