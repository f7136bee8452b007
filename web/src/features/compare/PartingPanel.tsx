import { Paper, Skeleton, Text, Title, useComputedColorScheme } from "@mantine/core";
import { useMemo, useState, type ReactElement } from "react";
import { askedOf } from "#/shared/curves/part";
import { ProblemAlert } from "#/shared/errors/ProblemAlert";
import type { Moment, Range } from "#/shared/plots/stack/panel";
import { TimeStack } from "#/shared/plots/stack/TimeStack";
import { ClientChips } from "#/shared/runs/ClientChips";
import { clientsOf } from "#/shared/runs/clients";
import { DataTable, type Column } from "#/shared/ui/DataTable";
import { Loaded } from "#/shared/ui/Loaded";
import {
  closeTo,
  closePart,
  closeUp,
  curvesOf,
  MOST_CLIENTS,
  momentText,
  panelsOf,
  rangeAround,
  recordName,
  valueOf,
  WHOLE,
} from "./parting";
import { useCloseUp, useCurves, useParting, type Parting, type Partings } from "./queries";
import { SideMark } from "./SideMark";

const COLUMNS: readonly Column<Parting>[] = [
  { name: "At", w: 130, cell: ({ t_s: at }) => momentText(at) },
  { name: "In", cell: recordName },
  {
    name: "Row",
    w: 90,
    align: "right",
    cell: ({ row }) => row + 1,
  },
  ...(["a", "b"] as const).map((side) => ({
    name: side,
    head: <SideMark side={side} />,
    cell: ({ differences }: Parting) =>
      differences.map(({ column, ...values }) => (
        <Text key={column} size="xs" style={{ overflowWrap: "anywhere" }}>
          {column} {valueOf(column, values[side])}
        </Text>
      )),
  })),
];

/** Both runs over one time axis, with the moment at which they part. */
function Curves(props: { a: number; b: number; first: Parting }): ReactElement {
  const { a, b, first: parting } = props;
  const first = parting.t_s;
  const scheme = useComputedColorScheme("light");
  const left = useCurves(a);
  const right = useCurves(b);
  const [chosen, setChosen] = useState<Range | null>(null);
  const [client, setClient] = useState(parting.client ?? 1);
  const clients = useMemo(
    () => clientsOf([...(left.data?.curves ?? []), ...(right.data?.curves ?? [])]),
    [left.data, right.data],
  );
  const only = clients.length > MOST_CLIENTS ? client : null;
  const panels = useMemo(
    () =>
      left.data === undefined || right.data === undefined
        ? null
        : panelsOf(curvesOf(left.data.curves, only), curvesOf(right.data.curves, only), scheme),
    [left.data, right.data, only, scheme],
  );
  const end = Math.max(left.data?.duration_s ?? 0, right.data?.duration_s ?? 0);
  const moments = useMemo(() => [{ at: first, label: "they part" }], [first]);
  const failed = [left, right].find(({ error }) => error !== null);
  if (failed !== undefined)
    return <ProblemAlert error={failed.error} onRetry={() => void failed.refetch()} />;
  if (panels === null) return <Skeleton height={480} />;
  const extent: Range = [0, end];
  return (
    <>
      {only !== null && <ClientChips clients={clients} value={only} onChange={setClient} />}
      <TimeStack
        title="Both runs; the dashed line is where they part"
        asked={askedOf([a, b], WHOLE)}
        panels={panels}
        moments={moments}
        extent={extent}
        range={chosen ?? rangeAround(first, extent)}
        onRange={setChosen}
      />
      <CloseUp a={a} b={b} only={only} moments={moments} extent={closeTo(first, extent)} />
    </>
  );
}

/** Single segments and packets around the moment. */
function CloseUp(props: {
  a: number;
  b: number;
  /** Whose alone. */
  only: number | null;
  moments: readonly Moment[];
  extent: Range;
}): ReactElement | null {
  const { a, b, only, moments, extent } = props;
  const scheme = useComputedColorScheme("light");
  const left = useCloseUp(a, extent);
  const right = useCloseUp(b, extent);
  const [chosen, setChosen] = useState<Range | null>(null);
  const panels = useMemo(
    () =>
      closeUp(
        curvesOf(left.data?.curves ?? [], only),
        curvesOf(right.data?.curves ?? [], only),
        scheme,
      ),
    [left.data, right.data, only, scheme],
  );
  const failed = [left, right].find(({ error }) => error !== null);
  if (failed !== undefined)
    return <ProblemAlert error={failed.error} onRetry={() => void failed.refetch()} />;
  if (left.data === undefined || right.data === undefined) return <Skeleton height={420} />;
  if (panels.length === 0) return null;
  return (
    <TimeStack
      title="Segments from request to last byte, and packets at the bottleneck"
      asked={askedOf([a, b], closePart(extent))}
      panels={panels}
      moments={moments}
      extent={extent}
      range={chosen ?? extent}
      onRange={setChosen}
    />
  );
}

function told({ same_seed: sameSeed, partings }: Partings): string {
  const [first] = partings;
  if (first === undefined) return "They never part: every packet, ACK and segment is the same.";
  const where = `They part at ${momentText(first.t_s)}, first in ${recordName(first)}.`;
  return sameSeed
    ? `${where} Chance was the same in both, so all that differs follows from their parameters.`
    : `${where} Their seeds differ: for cause and effect compare runs of one seed.`;
}

/** The first moment at which two runs part: exact, as runs are deterministic. */
export function PartingPanel({ a, b }: { a: number; b: number }): ReactElement {
  const query = useParting(a, b);
  return (
    <Paper p="md">
      <Title order={2} mb="xs">
        Where they part
      </Title>
      <Loaded query={query} height={320}>
        {(found) => {
          const [first] = found.partings;
          return (
            <>
              <Text mb="sm">{told(found)}</Text>
              {first !== undefined && (
                <>
                  <Curves key={`${a} ${b}`} a={a} b={b} first={first} />
                  <DataTable
                    columns={COLUMNS}
                    rows={found.partings}
                    keyOf={(each) => `${each.record} ${each.client ?? ""}`}
                    minWidth={620}
                  />
                </>
              )}
            </>
          );
        }}
      </Loaded>
    </Paper>
  );
}
