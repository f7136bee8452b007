import { Group, SegmentedControl, Select } from "@mantine/core";
import type { ReactElement } from "react";
import type { Campaign } from "#/shared/campaign/moving";
import { shortFactor } from "#/shared/levels/factor";
import { levelText } from "#/shared/levels/text";
import type { Metric } from "#/shared/metrics/metrics";
import { MetricSelect } from "#/shared/metrics/MetricSelect";
import { RankSelect } from "#/shared/metrics/RankSelect";
import { useDocument, useLevels } from "./queries";
import { ranksOf } from "./ranks";
import { POOLED, VIEWS, type Asked, type ResultsSearch, type View } from "./search";

interface ControlsProps {
  campaign: Campaign;
  metrics: readonly Metric[];
  asked: Asked;
  onChange: (next: ResultsSearch) => void;
}

const VIEW_NAMES: Record<View, string> = { bars: "Means", boxes: "Boxes", cdf: "Distribution" };

function FactorSelect(props: {
  label: string;
  factors: readonly string[];
  value: string | null;
  onChange: (factor: string) => void;
}): ReactElement {
  return (
    <Select
      label={props.label}
      w={{ base: "calc(50% - 6px)", sm: 190 }}
      allowDeselect={false}
      value={props.value ?? POOLED}
      data={[
        ...props.factors.map((factor) => ({ value: factor, label: shortFactor(factor) })),
        { value: POOLED, label: "nothing" },
      ]}
      onChange={(factor) => factor !== null && props.onChange(factor)}
    />
  );
}

/** One level of a factor that is neither down nor across, or all of them pooled. */
function LevelSelect(props: {
  campaign: Campaign;
  metric: string;
  factor: string;
  value: string | null;
  onChange: (level: string | null) => void;
}): ReactElement {
  const { data } = useLevels(props.campaign, props.metric, props.factor);
  const levels = data?.groups.map((cell) => levelText(cell.levels[props.factor])) ?? [];
  const known = props.value === null || levels.includes(props.value);
  return (
    <Select
      label={shortFactor(props.factor)}
      w={{ base: "calc(50% - 6px)", sm: 160 }}
      clearable
      placeholder="all, pooled"
      value={props.value}
      data={known ? levels : [...levels, props.value ?? ""]}
      onChange={props.onChange}
    />
  );
}

/** Which metric, by which factors, of which runs, and how it is drawn. */
export function Controls({ campaign, metrics, asked, onChange }: ControlsProps): ReactElement {
  const { metric, client, rows, columns, levels, view } = asked;
  const { factors } = campaign;
  const { data: document } = useDocument(campaign.id);
  const scope = metrics.find(({ name }) => name === metric)?.scope;
  const others = factors.filter((factor) => factor !== rows && factor !== columns);
  const setLevel = (factor: string, level: string | null): void => {
    const kept = Object.entries(levels).filter(([each]) => each !== factor);
    const next = level === null ? kept : [...kept, [factor, level] as const];
    onChange({ levels: next.length === 0 ? undefined : Object.fromEntries(next) });
  };
  // A factor's level was chosen while it was neither down nor across.
  const without = (factor: string): ResultsSearch["levels"] => {
    const kept = Object.entries(levels).filter(([each]) => each !== factor);
    return kept.length === 0 ? undefined : Object.fromEntries(kept);
  };
  return (
    <Group gap="sm" align="flex-end">
      <MetricSelect
        metrics={metrics}
        value={metric}
        onChange={(name) => onChange({ metric: name })}
      />
      {scope === "client" && (
        <RankSelect
          ranks={ranksOf(document?.spec.experiment, factors)}
          value={client}
          onChange={(rank) => onChange({ client: rank ?? undefined })}
        />
      )}
      {factors.length > 0 && (
        <>
          <FactorSelect
            label="Down"
            factors={factors}
            value={rows}
            onChange={(factor) =>
              onChange({
                rows: factor,
                levels: without(factor),
                picked: undefined,
                ...(factor === columns ? { columns: rows ?? POOLED } : {}),
              })
            }
          />
          <FactorSelect
            label="Across"
            factors={factors}
            value={columns}
            onChange={(factor) =>
              onChange({
                columns: factor,
                levels: without(factor),
                picked: undefined,
                ...(factor === rows ? { rows: columns ?? POOLED } : {}),
              })
            }
          />
        </>
      )}
      {others.map((factor) => (
        <LevelSelect
          key={factor}
          campaign={campaign}
          metric={metric}
          factor={factor}
          value={levels[factor] ?? null}
          onChange={(level) => setLevel(factor, level)}
        />
      ))}
      <SegmentedControl
        size="xs"
        ml={{ base: 0, md: "auto" }}
        aria-label="Picture"
        value={view}
        data={Object.entries(VIEW_NAMES).map(([value, label]) => ({ value, label }))}
        onChange={(next) => onChange({ view: VIEWS.find((each) => each === next) })}
      />
    </Group>
  );
}
