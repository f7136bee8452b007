import { Alert, Paper, Stack, Text } from "@mantine/core";
import { IconChartBar } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useMemo, type ReactElement } from "react";
import type { Campaign } from "#/shared/campaign/moving";
import { shortFactor } from "#/shared/levels/factor";
import type { Metric } from "#/shared/metrics/metrics";
import type { Mark } from "#/shared/plots/Chart";
import { runAt } from "#/shared/plots/marks/strip";
import { useTeam } from "#/shared/session/session";
import { describeCounts } from "#/shared/states/describe";
import { Empty } from "#/shared/ui/Empty";
import { Loaded } from "#/shared/ui/Loaded";
import { Against } from "./Against";
import { comparedBy, contrastsOf } from "./contrasts";
import { findingsOf } from "./finding";
import { Findings } from "./Findings";
import { paperNumbers } from "./paper";
import { cellText, only, pivot } from "./pivot";
import { Picked } from "./Picked";
import { PickedRuns } from "./PickedRuns";
import { Picture } from "./Picture";
import { PivotTable } from "./PivotTable";
import { useAggregate, useReport, useScorecard, useValues, type Poll } from "./queries";
import { pooledOf, requestOf, type Asked, type CellName, type ResultsSearch } from "./search";

interface MeasuredProps {
  campaign: Campaign;
  metric: Metric;
  asked: Asked;
  search: ResultsSearch;
  poll: Poll;
  onChange: (next: ResultsSearch) => void;
}

function titleOf(metric: Metric, asked: Asked, pooled: readonly string[]): string {
  const { client, rows, columns } = asked;
  const over = pooled.length > 0 ? `, pooled over ${pooled.map(shortFactor).join(", ")}` : "";
  const factors = [rows, columns].filter((factor) => factor !== null).map(shortFactor);
  const whose = metric.scope === "client" && client !== null ? `, client ${client} by bitrate` : "";
  return `${metric.title}${whose}${factors.length > 0 ? ` by ${factors.join(" and ")}` : ""}${over}`;
}

/** What was measured: the picture, the table, the cells picked from it, the paper's findings. */
export function Measured(props: MeasuredProps): ReactElement {
  const { campaign, metric, asked, search, poll, onChange } = props;
  const { view, picked, rows, columns, client } = asked;
  const team = useTeam();
  const navigate = useNavigate();
  const hasPaper = campaign.has_paper;
  const aggregate = useAggregate(campaign, asked, poll);
  const values = useValues(campaign, asked, poll, view !== "bars");
  const report = useReport(campaign, asked, hasPaper);

  // What is still shown of a view before belongs to its own factors.
  const shown = aggregate.data;
  const cells = useMemo(() => (shown === undefined ? null : pivot(shown.groups, shown)), [shown]);
  const groups = useMemo(
    () =>
      values.data === undefined || aggregate.isPlaceholderData || values.isPlaceholderData
        ? null
        : pivot(values.data.groups, { rows, columns }),
    [values.data, values.isPlaceholderData, aggregate.isPlaceholderData, rows, columns],
  );
  const paper = useMemo(
    () => paperNumbers(report.data?.groups ?? [], { rows, columns }, client),
    [report.data, rows, columns, client],
  );
  const factor = comparedBy({ rows, columns });
  const compared = (columns === null ? cells?.rows : cells?.columns) ?? [];
  const against = compared.find((level) => level === search.against) ?? compared[0];
  const by = columns !== null && rows !== null ? [rows] : [];
  const card = useScorecard(
    campaign,
    asked,
    factor,
    view === "bars" && compared.length > 1 ? against : undefined,
    by,
    poll,
  );
  const contrasts = useMemo(
    () =>
      card.data === undefined || cells === null || card.isPlaceholderData
        ? []
        : contrastsOf(card.data, { rows, columns }, cells, metric),
    [card.data, card.isPlaceholderData, cells, rows, columns, metric],
  );
  const known = useMemo(
    () => picked.filter(([row, column]) => cells?.at(row, column) !== undefined),
    [picked, cells],
  );
  const pick = (name: CellName): void => {
    const kept = known.filter((each) => cellText(each) !== cellText(name));
    const next = kept.length < known.length ? kept : [...known, name];
    onChange({ picked: next.length === 0 ? undefined : next });
  };
  const open = (mark: Mark): void => {
    const run = runAt(mark.value);
    if (run !== null) {
      void navigate({ to: "/teams/$team/runs/$run", params: { team, run: String(run) } });
      return;
    }
    const row = cells?.rows[mark.value[0] ?? -1];
    if (row !== undefined && cells?.at(row, mark.series) !== undefined) pick([row, mark.series]);
  };
  const part = useMemo(() => {
    if (known.length < 2 || cells === null) return null;
    return { cells: only(cells, known), groups: groups && only(groups, known) };
  }, [cells, groups, known]);
  const partPaper = useMemo(() => {
    const byName = new Map(known.map((name) => [cellText(name), paper(...name)]));
    return (name: string): number | null => byName.get(name) ?? null;
  }, [known, paper]);

  const pooled = pooledOf(asked, campaign.factors);
  const title = titleOf(metric, asked, pooled);
  return (
    <Loaded query={aggregate} height={360}>
      {({ groups: found, not_averaged: left }) => {
        const notAveraged = describeCounts(left);
        if (found.length === 0 || cells === null)
          return (
            <Paper>
              <Empty icon={<IconChartBar size={36} stroke={1.4} />} title="Nothing measured yet">
                {notAveraged === ""
                  ? "No run that fits has a value of this metric."
                  : `Of the runs that fit: ${notAveraged}.`}
              </Empty>
            </Paper>
          );
        return (
          <Stack gap="md" style={{ opacity: aggregate.isPlaceholderData ? 0.55 : 1 }}>
            <Paper p="md">
              <Picture
                title={`${title} – ${campaign.name}`}
                metric={metric}
                view={view}
                cells={cells}
                groups={groups}
                paper={paper}
                contrasts={contrasts}
                request={requestOf(campaign.id, asked)}
                values={values}
                onPick={open}
              />
              {view === "bars" && against !== undefined && card.data !== undefined && (
                <Against
                  levels={compared}
                  level={against}
                  contrasts={contrasts}
                  onChange={(level) => onChange({ against: level })}
                />
              )}
            </Paper>
            {known.length > 0 && <PickedRuns campaign={campaign} asked={asked} picked={known} />}
            {part !== null && (
              <Picked
                campaign={campaign}
                metric={metric}
                asked={asked}
                picked={known}
                onClear={() => onChange({ picked: undefined })}
                picture={
                  <Picture
                    title={`Picked: ${title} – ${campaign.name}`}
                    metric={metric}
                    view={view}
                    cells={part.cells}
                    groups={part.groups}
                    paper={partPaper}
                    values={values}
                  />
                }
              />
            )}
            <PivotTable
              cells={cells}
              metric={metric}
              paper={paper}
              factors={{ rows, columns }}
              pooled={pooled}
              picked={known}
              onPick={pick}
            />
            {notAveraged !== "" && (
              <Text size="xs" c="dimmed">
                Not averaged: {notAveraged}. Intervals are of 95 % confidence over runs.
              </Text>
            )}
            {report.error !== null && hasPaper && (
              <Alert variant="light" color="yellow">
                The paper&apos;s numbers could not be fetched.
              </Alert>
            )}
            {report.data !== undefined && report.data.findings.length > 0 && (
              <Findings findings={findingsOf(report.data.findings)} />
            )}
          </Stack>
        );
      }}
    </Loaded>
  );
}
