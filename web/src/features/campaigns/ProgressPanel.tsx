import { Group, Paper } from "@mantine/core";
import type { ReactElement } from "react";
import { carriedOut, isMoving, type Campaign } from "#/shared/campaign/moving";
import { StateBar } from "#/shared/states/StateBar";
import { StateCounts } from "#/shared/states/StateCounts";
import { Time } from "#/shared/time/Time";
import { Fact } from "#/shared/ui/Fact";
import { Subjects } from "#/shared/ui/Subjects";
import { count, duration, number } from "#/shared/units/format";
import { KernelBuilding } from "./KernelBuilding";
import { useProgress, type Poll } from "./queries";

/** How far it is, how fast it goes, and when it will be over. */
export function ProgressPanel({
  campaign,
  poll,
}: {
  campaign: Campaign;
  poll: Poll;
}): ReactElement {
  const moving = isMoving(campaign);
  const { data: progress } = useProgress(campaign.id, poll);
  const counts = progress?.counts ?? campaign.counts;
  const took =
    campaign.started_at !== null && campaign.ended_at !== null
      ? (Date.parse(campaign.ended_at) - Date.parse(campaign.started_at)) / 1000
      : null;
  return (
    <Paper p="md">
      <Group style={{ gap: "8px 32px" }} mb="sm">
        <Fact name="Runs carried out">
          {count(carriedOut(counts))} of {count(campaign.run_count)}
          {campaign.searching && " so far"}
        </Fact>
        {moving && (
          <>
            <Fact name="Time left">{duration(progress?.eta_s)}</Fact>
            <Fact name="Runs per minute">
              {progress?.runs_per_s == null ? "–" : number(60 * progress.runs_per_s, 3)}
            </Fact>
            <Fact name="Film per second">{duration(progress?.speed)}</Fact>
          </>
        )}
        {took !== null && <Fact name="Took">{duration(took)}</Fact>}
        {Object.keys(campaign.subjects).length > 0 && (
          <Fact name="Under test">
            <Subjects of={campaign.subjects} />
          </Fact>
        )}
        <Fact name="Combinations">{count(campaign.combination_count)}</Fact>
        <Fact name="Film in all">{duration(campaign.film_s)}</Fact>
        <Fact name="Submitted">
          <Time at={campaign.created_at} />
        </Fact>
      </Group>
      <StateBar counts={counts} of={campaign.run_count} />
      <StateCounts counts={counts} />
      {progress?.kernel_build && <KernelBuilding build={progress.kernel_build} />}
    </Paper>
  );
}
