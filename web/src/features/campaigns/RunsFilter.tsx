import { Button, MultiSelect, Popover, Select, Stack } from "@mantine/core";
import { IconColumns3, IconFilter } from "@tabler/icons-react";
import type { ReactElement } from "react";
import { shortFactor } from "#/shared/levels/factor";
import { levelText } from "#/shared/levels/text";
import { useChoices } from "#/shared/metrics/metrics";
import type { Combination } from "#/shared/states/grid";

/** As many as the API tells of each run at once. */
const MOST_METRICS = 20;

function Metrics(props: {
  value: readonly string[];
  onChange: (names: string[]) => void;
}): ReactElement {
  const { data } = useChoices();
  const of = (scope: "client" | "run") =>
    (data?.metrics ?? [])
      .filter((metric) => metric.scope === scope)
      .map(({ name, title }) => ({ value: name, label: title }));
  return (
    <MultiSelect
      label="Metrics of each run"
      description="Of each client: the mean over a run's clients."
      size="xs"
      searchable
      clearable
      maxValues={MOST_METRICS}
      comboboxProps={{ withinPortal: false }}
      value={[...props.value]}
      data={[
        { group: "Of each client", items: of("client") },
        { group: "Of the run", items: of("run") },
      ]}
      onChange={props.onChange}
    />
  );
}

/** Which metrics stand as columns. */
export function MetricColumns(props: {
  value: readonly string[];
  onChange: (names: string[]) => void;
}): ReactElement {
  return (
    <Popover width={320} position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconColumns3 size={15} />}>
          Metrics{props.value.length > 0 && ` (${props.value.length})`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Metrics {...props} />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Which level of each factor. */
export function LevelFilter(props: {
  factors: readonly string[];
  combinations: readonly Combination[];
  levels: Readonly<Record<string, string>>;
  onChange: (levels: Record<string, string>) => void;
}): ReactElement {
  const { factors, combinations, levels, onChange } = props;
  const known = (factor: string): string[] => [
    ...new Set(
      combinations.flatMap((each) =>
        factor in each.levels ? [levelText(each.levels[factor])] : [],
      ),
    ),
  ];
  return (
    <Popover width={280} position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconFilter size={15} />}>
          Filter
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          {factors.map((factor) => (
            <Select
              key={factor}
              label={shortFactor(factor)}
              clearable
              searchable
              placeholder="any"
              comboboxProps={{ withinPortal: false }}
              value={levels[factor] ?? null}
              data={known(factor)}
              onChange={(level) => {
                const rest = Object.entries(levels).filter(([each]) => each !== factor);
                onChange(
                  Object.fromEntries(level === null ? rest : [...rest, [factor, level] as const]),
                );
              }}
            />
          ))}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
