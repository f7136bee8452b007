/** Each kind of chart, of examples. */
import { useMemo, type ReactElement } from "react";
import { barsNames, barsOption, barsTable, type BarsData } from "#/shared/plots/bars";
import { boxesOption, valuesTable, type ValuesData } from "#/shared/plots/boxes";
import { cdfNames, cdfOption } from "#/shared/plots/cdf";
import { Chart } from "#/shared/plots/Chart";
import {
  scatterNames,
  scatterOption,
  scatterTable,
  type ScatterData,
} from "#/shared/plots/scatter";

interface Example<Data> {
  title: string;
  data: Data;
}

export function Means({ title, data }: Example<BarsData>): ReactElement {
  const option = useMemo(() => barsOption.bind(null, data), [data]);
  return (
    <Chart title={title} option={option} names={barsNames(data)} table={() => barsTable(data)} />
  );
}

export function Values({ title, data }: Example<ValuesData>): ReactElement {
  const option = useMemo(() => boxesOption.bind(null, data), [data]);
  const names = data.series.map(({ name }) => name);
  return <Chart title={title} option={option} names={names} table={() => valuesTable(data)} />;
}

export function Distributions({ title, data }: Example<ValuesData>): ReactElement {
  const option = useMemo(() => cdfOption.bind(null, data), [data]);
  return (
    <Chart title={title} option={option} names={cdfNames(data)} table={() => valuesTable(data)} />
  );
}

export function Weighed({ title, data }: Example<ScatterData>): ReactElement {
  const option = useMemo(() => scatterOption.bind(null, data), [data]);
  return (
    <Chart title={title} option={option} names={scatterNames} table={() => scatterTable(data)} />
  );
}
