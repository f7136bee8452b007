import { Anchor } from "@mantine/core";
import { IconInfoCircle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { shortFactor } from "#/shared/levels/factor";
import { levelText } from "#/shared/levels/text";
import { MetricName } from "#/shared/metrics/MetricName";
import type { Metric } from "#/shared/metrics/metrics";
import { StateBadge } from "#/shared/states/StateBadge";
import { Time } from "#/shared/time/Time";
import type { LongColumn } from "#/shared/ui/LongTable";
import { duration, quantity } from "#/shared/units/format";
import type { Run } from "./queries";
import classes from "./runs.module.css";
import { SortHead, wayOf } from "./SortHead";

interface Shown {
  team: string;
  factors: readonly string[];
  /** about: as the catalogue has it, where it does. */
  metrics: readonly (Pick<Metric, "name" | "title" | "unit"> & { about?: Metric | undefined })[];
  sort: string;
  onSort: (sort: string | undefined) => void;
  chosen: ReadonlySet<number>;
  onChoose: (run: number) => void;
}

function widthOf(text: string): number {
  return Math.min(240, Math.max(90, 34 + 8 * text.length));
}

/** A run's number, state, levels, times, and the metrics that were chosen. */
export function runColumns(shown: Shown): LongColumn<Run>[] {
  const { team, factors, metrics, sort, onSort, chosen, onChoose } = shown;
  const sorted = (name: string, by: string, about?: Metric) => ({
    id: by,
    head: (
      <>
        <SortHead name={name} by={by} sort={sort} onSort={onSort} />
        {about !== undefined && (
          <MetricName metric={about}>
            <IconInfoCircle size={13} aria-label={`What ${name} is`} className={classes.about} />
          </MetricName>
        )}
      </>
    ),
    sorted: wayOf(sort, by),
  });
  return [
    {
      id: "chosen",
      head: null,
      w: 42,
      cell: ({ id }) => (
        <input
          type="checkbox"
          style={{ display: "block", margin: 0 }}
          aria-label={`Choose run ${id}`}
          checked={chosen.has(id)}
          onChange={() => onChoose(id)}
        />
      ),
    },
    {
      ...sorted("Run", "position"),
      w: 76,
      cell: ({ id }) => (
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link to="/teams/$team/runs/$run" params={{ team, run: String(id) }} {...props} />
          )}
        >
          {id}
        </Anchor>
      ),
    },
    { id: "state", head: "State", w: 116, cell: ({ state }) => <StateBadge state={state} /> },
    ...factors.map((factor) => ({
      id: factor,
      head: shortFactor(factor),
      title: factor,
      w: widthOf(shortFactor(factor)),
      cell: ({ levels }: Run) => (factor in levels ? levelText(levels[factor]) : "–"),
    })),
    { id: "replicate", head: "Replicate", w: 92, cell: ({ replicate }) => replicate + 1 },
    ...metrics.map(({ name, title, unit, about }) => ({
      ...sorted(title, name, about),
      w: widthOf(title) + (about === undefined ? 0 : 20),
      align: "right" as const,
      cell: ({ metrics: values }: Run) => quantity(values[name], unit),
    })),
    { ...sorted("Took", "wall_s"), w: 92, cell: ({ wall_s: wall }) => duration(wall) },
    { ...sorted("Began", "started"), w: 128, cell: ({ started_at: at }) => <Time at={at} /> },
  ];
}
