import { Select, Text } from "@mantine/core";
import type { ReactElement } from "react";
import { MetricName } from "./MetricName";
import type { Metric } from "./metrics";

interface MetricSelectProps {
  metrics: readonly Metric[];
  value: string;
  label?: string;
  onChange: (name: string) => void;
}

/** Chooses a metric by its title. */
export function MetricSelect(props: MetricSelectProps): ReactElement {
  const { metrics, value, label = "Metric", onChange } = props;
  const of = (scope: Metric["scope"]): { value: string; label: string }[] =>
    metrics
      .filter((metric) => metric.scope === scope)
      .map(({ name, title }) => ({ value: name, label: title }));
  const chosen = metrics.find(({ name }) => name === value);
  return (
    <Select
      label={label}
      // Beside the label and not in it: a click on the label's text would press it.
      inputContainer={(input) => (
        <>
          {chosen !== undefined && (
            <Text span size="xs" c="dimmed" pos="absolute" top={2} right={0}>
              <MetricName metric={chosen}>definition</MetricName>
            </Text>
          )}
          {input}
        </>
      )}
      pos="relative"
      w={{ base: "100%", sm: 270 }}
      searchable
      allowDeselect={false}
      value={value}
      data={[
        { group: "Of each client", items: of("client") },
        { group: "Of the run", items: of("run") },
      ]}
      onChange={(name) => name !== null && onChange(name)}
    />
  );
}
