import { Chip, Group, Loader, Skeleton, Stack, Text, useComputedColorScheme } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconChartLine } from "@tabler/icons-react";
import { useMemo, useState, type ReactElement } from "react";
import { ProblemAlert } from "#/shared/errors/ProblemAlert";
import type { Range } from "#/shared/plots/stack/panel";
import { TimeStack } from "#/shared/plots/stack/TimeStack";
import { runTitle } from "#/shared/runs/title";
import { useMay } from "#/shared/session/session";
import { Empty } from "#/shared/ui/Empty";
import { build, refined, thinned } from "./curves/build";
import { lastOf, recordedUntil, type Drawing } from "./curves/draw";
import { decisionAt, type Decision } from "./decision";
import { levelNames, readExperiment } from "./experiment";
import { eventsHeld, momentsOf } from "./moments";
import { KINDS, offered, shownFirst, titleOf } from "./panels";
import { isFinished, isRunning, useSeries, type Curve, type Run } from "./queries";
import type { RunSearch } from "./search";
import { WhatIf } from "./WhatIf";
import { partOf, rangeOf } from "./window";

interface TimelineProps {
  run: Run;
  search: RunSearch;
  onChange: (next: RunSearch) => void;
}

/** Those of the players come at once; those that are read from every packet take a moment. */
const OF_PLAYERS = [
  "level",
  "segment",
  "stalls",
  "buffer",
  "latency",
  "latency_target",
  "latency_max",
  "playback_rate",
  "throughput",
  "estimate",
  "link_rate",
  "events",
];
const SETTLED_MS = 250;
const NONE: readonly Curve[] = [];

function whyNothing(run: Run): string {
  if (isFinished(run)) return "This run\u2019s record of TCP and of the queue was switched off.";
  if (run.state === "running")
    return "Players are told of every few seconds, and the lab kernel passes its record on in pieces; the first has not come yet.";
  return "This run failed before its cell was set up, or its lab kernel was killed.";
}

/** All that a run recorded over time, on one axis; of a running or failed one, as far as it came. */
export function Timeline({ run, search, onChange }: TimelineProps): ReactElement {
  const scheme = useComputedColorScheme("light");
  const maySubmit = useMay("submit");
  const [asked, setAsked] = useState<Decision>();
  const experiment = useMemo(
    () => readExperiment(run.experiment, run.events),
    [run.experiment, run.events],
  );
  const { paths } = experiment;
  const soFar = isRunning(run);
  const names = useMemo(() => search.panels ?? shownFirst(experiment), [search.panels, experiment]);
  const panelNames = offered(experiment);
  const everyone = experiment.clients.map((_, index) => index + 1);
  const clients = search.clients ?? everyone;
  const askable = clients.filter((client) => run.whatif_clients.includes(client));
  const mayAsk = maySubmit && isFinished(run) && askable.length > 0;
  const extent: Range = useMemo(() => [0, experiment.durationS], [experiment]);
  const range = rangeOf(search, extent);

  const others = useMemo(() => {
    const asked = new Set(names.flatMap((name) => KINDS[name]));
    return [...asked].filter((kind) => !OF_PLAYERS.includes(kind)).sort();
  }, [names]);
  const players = useSeries(run, OF_PLAYERS);
  const network = useSeries(run, others);
  const whole = useMemo(
    () => [...(players.data?.curves ?? NONE), ...(network.data?.curves ?? NONE)],
    [players.data, network.data],
  );

  // Zoomed in, curves that were thinned are fetched again, of this part and some beside it.
  const [settled] = useDebouncedValue(range, SETTLED_MS);
  const finer = useMemo(() => thinned(whole), [whole]);
  const part = partOf(settled, extent);
  const detail = useSeries(run, finer, part, part !== null);
  const covers =
    detail.data !== undefined && detail.data.from_s <= range[0] && range[1] <= detail.data.to_s;
  const detailed = part !== null && covers ? detail.data.curves : NONE;

  const curves = useMemo(
    () => (detailed.length === 0 ? whole : refined(whole, detailed)),
    [whole, detailed],
  );
  const shown = clients.join(",");
  const untilS = useMemo(() => recordedUntil(whole), [whole]);
  const panels = useMemo(() => {
    const drawing: Drawing = {
      scheme,
      shown: new Set(shown.split(",").map(Number)),
      paths: experiment.paths,
      // Of such a run, nobody knows what its players did after their records' end.
      until: (client) =>
        run.state === "failed" || soFar
          ? lastOf(whole, client)
          : (experiment.clients[client - 1]?.stopS ?? experiment.durationS),
    };
    const events = soFar
      ? experiment.events.filter(({ atS }) => atS <= untilS)
      : eventsHeld(whole, experiment);
    return build(names, curves, drawing, { ...experiment, events });
  }, [names, curves, whole, scheme, shown, experiment, run.state, soFar, untilS]);
  const moments = useMemo(
    () => momentsOf(players.data?.curves ?? NONE, experiment),
    [players.data, experiment],
  );

  if (players.error !== null && players.data === undefined)
    return <ProblemAlert error={players.error} onRetry={() => void players.refetch()} />;
  return (
    <Stack gap="sm">
      <Group gap={6}>
        <Chip.Group
          multiple
          value={[...names]}
          onChange={(chosen) => {
            const next = panelNames.filter((name) => chosen.includes(name));
            if (next.length > 0) onChange({ panels: next });
          }}
        >
          {panelNames.map((name) => (
            <Chip key={name} value={name} size="xs" variant="outline">
              {titleOf(name, paths)}
            </Chip>
          ))}
        </Chip.Group>
      </Group>
      {everyone.length > 1 && (
        <Group gap={6}>
          <Chip.Group
            multiple
            value={clients.map(String)}
            onChange={(chosen) => {
              const next = everyone.filter((client) => chosen.includes(String(client)));
              if (next.length > 0)
                onChange({ clients: next.length === everyone.length ? undefined : next });
            }}
          >
            {everyone.map((client) => (
              <Chip key={client} value={String(client)} size="xs" variant="light">
                client {client}: {experiment.clients[client - 1]?.player}
              </Chip>
            ))}
          </Chip.Group>
        </Group>
      )}
      {network.error !== null && network.data === undefined && (
        <ProblemAlert error={network.error} onRetry={() => void network.refetch()} />
      )}
      {players.data === undefined ? (
        <Skeleton height={640} />
      ) : (panels.length === 0 && !network.isFetching) || (soFar && untilS === 0) ? (
        <Empty
          icon={<IconChartLine size={36} stroke={1.4} />}
          title={soFar ? "Nothing is recorded yet" : "Nothing was recorded"}
        >
          {whyNothing(run)}
        </Empty>
      ) : (
        <TimeStack
          title={runTitle(run)}
          panels={panels}
          moments={moments}
          extent={extent}
          range={range}
          asked={{
            path: `/api/v1/runs/${run.id}/series`,
            call: "show_run_series",
            of: [run.id],
            query: {
              kinds: [...new Set(names.flatMap((name) => KINDS[name]))],
              from_s: search.from,
              to_s: search.to,
            },
          }}
          {...(mayAsk && {
            onPick: ({ panel, at, value }) => {
              if (panels[panel]?.title === titleOf("quality", paths))
                setAsked(decisionAt(players.data.curves, new Set(askable), at, value));
            },
          })}
          onRange={([from, to]) => {
            const all = from <= extent[0] && to >= extent[1];
            onChange(all ? { from: undefined, to: undefined } : { from, to });
          }}
        />
      )}
      {asked !== undefined && (
        <WhatIf
          key={`${asked.client} ${asked.segment}`}
          run={run}
          decision={asked}
          levels={levelNames(experiment)}
          onClose={() => setAsked(undefined)}
        />
      )}
      {mayAsk && asked === undefined && (
        <Text size="xs" c="dimmed">
          Click on a segment’s quality to ask what another level would have come to.
        </Text>
      )}
      {!soFar && (network.isFetching || (part !== null && detail.isFetching)) && (
        <Group gap="xs" role="status" aria-busy>
          <Loader size={12} />
          <Text size="xs" c="dimmed">
            {network.data === undefined ? "Reading TCP and the queue …" : "Reading more samples …"}
          </Text>
        </Group>
      )}
    </Stack>
  );
}
