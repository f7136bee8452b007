import { useComputedColorScheme } from "@mantine/core";
import { useMemo, type ReactElement } from "react";
import { askedOf } from "#/shared/curves/part";
import type { Range } from "#/shared/plots/stack/panel";
import { TimeStack } from "#/shared/plots/stack/TimeStack";
import { clamp } from "#/shared/plots/stack/zoom";
import { nearestRun, panelsOf, subjectOf, type Drawn } from "./panels";
import { PART } from "./queries";
import type { OverlaySearch } from "./search";

interface OverlayProps {
  title: string;
  runs: readonly Drawn[];
  typical: number | undefined;
  chosen: number | undefined;
  client: number;
  durationS: number;
  search: Pick<OverlaySearch, "from" | "to">;
  onChange: (next: OverlaySearch) => void;
}

/** Curves of several runs on one time axis; a click chooses the run whose curve is nearest. */
export function Overlay(props: OverlayProps): ReactElement {
  const { title, runs, typical, chosen, client, durationS, search, onChange } = props;
  const scheme = useComputedColorScheme("light");
  const panels = useMemo(
    () => panelsOf(runs, { typical, chosen }, client, durationS, scheme),
    [runs, typical, chosen, client, durationS, scheme],
  );
  const extent: Range = [0, durationS];
  const { from = 0, to = durationS } = search;
  return (
    <TimeStack
      title={title}
      panels={panels}
      extent={extent}
      asked={askedOf(
        runs.map(({ id }) => id),
        PART,
      )}
      range={from < to ? clamp([from, to], extent) : extent}
      onRange={([begin, end]) => {
        const all = begin <= 0 && end >= durationS;
        onChange(all ? { from: undefined, to: undefined } : { from: begin, to: end });
      }}
      onPick={({ panel, at, value }) => {
        const subject = subjectOf(runs, client, panels[panel]?.title);
        if (subject !== undefined) onChange({ run: nearestRun(runs, subject, client, at, value) });
      }}
    />
  );
}
