import { Skeleton } from "@mantine/core";
import type { UseQueryResult } from "@tanstack/react-query";
import { useMemo, type ReactElement } from "react";
import type { Asked } from "#/shared/copy/formats";
import type { Metric } from "#/shared/metrics/metrics";
import { barsNames, barsOption, barsTable } from "#/shared/plots/bars";
import { boxesOption, valuesTable } from "#/shared/plots/boxes";
import { cdfNames, cdfOption } from "#/shared/plots/cdf";
import { Chart, type Mark } from "#/shared/plots/Chart";
import type { Contrast } from "#/shared/plots/contrasts";
import { ProblemAlert } from "#/shared/errors/ProblemAlert";
import { barsOf, valuesOf, type Cell, type Group, type Pivot } from "./pivot";
import type { View } from "./search";

interface PictureProps {
  title: string;
  metric: Metric;
  view: View;
  cells: Pivot<Cell>;
  /** null while they are fetched. */
  groups: Pivot<Group> | null;
  paper: (row: string, column: string) => number | null;
  contrasts?: readonly Contrast[];
  /** The request that it shows. */
  request?: Asked | undefined;
  onPick?: (mark: Mark) => void;
  values: Pick<UseQueryResult<unknown, unknown>, "error" | "refetch">;
}

const HEIGHT = 320;

function Means(props: PictureProps): ReactElement {
  const { title, metric, cells, paper, contrasts, request, onPick } = props;
  const data = useMemo(
    () => barsOf(cells, metric, paper, contrasts),
    [cells, metric, paper, contrasts],
  );
  const option = useMemo(() => barsOption.bind(null, data), [data]);
  const names = useMemo(() => barsNames(data), [data]);
  return (
    <Chart
      title={title}
      option={option}
      names={names}
      table={() => barsTable(data)}
      asked={request}
      height={HEIGHT}
      {...(onPick === undefined ? {} : { onPick })}
    />
  );
}

function Single(
  props: Pick<PictureProps, "title" | "metric" | "view" | "request" | "onPick"> & {
    groups: Pivot<Group>;
  },
): ReactElement {
  const { title, metric, view, groups, request, onPick } = props;
  const data = useMemo(() => valuesOf(groups, metric), [groups, metric]);
  const option = useMemo(
    () => (view === "cdf" ? cdfOption : boxesOption).bind(null, data),
    [view, data],
  );
  const names = view === "cdf" ? cdfNames(data) : data.series.map(({ name }) => name);
  return (
    <Chart
      title={title}
      option={option}
      names={names}
      table={() => valuesTable(data)}
      asked={request}
      height={HEIGHT}
      {...(onPick === undefined ? {} : { onPick })}
    />
  );
}

/** Means with their intervals, or the single values as boxes or distributions. */
export function Picture(props: PictureProps): ReactElement {
  const { view, groups, values } = props;
  if (view === "bars") return <Means {...props} />;
  if (groups !== null) return <Single {...props} groups={groups} />;
  if (values.error != null)
    return <ProblemAlert error={values.error} onRetry={() => void values.refetch()} />;
  return <Skeleton height={HEIGHT} />;
}
