import type { ReactElement } from "react";
import { quantity } from "#/shared/units/format";
import { titleOf, titled, type Slot } from "./layout";
import type { Panel } from "./panel";
import classes from "./stack.module.css";
import { valueAt } from "./window";

interface PanelHeaderProps {
  panel: Panel;
  index: number;
  slot: Slot;
  hover: number | null;
  /** How near a dot must be to be read out, s. */
  reach: number;
  hidden: ReadonlySet<string>;
  onToggle: (id: string) => void;
}

/** A panel's title and legend; the legend reads out the values under the pointer. */
export function PanelHeader(props: PanelHeaderProps): ReactElement {
  const { panel, index, slot, hover, reach, hidden, onToggle } = props;
  const span =
    hover === null ? undefined : panel.spans?.find(({ from, to }) => from <= hover && hover <= to);
  return (
    <div className={classes.header} style={{ top: slot.top - 24 }}>
      <span className={classes.title}>{titleOf(panel)}</span>
      {panel.series.map((series, each) => {
        const id = `${index}-${each}`;
        const value = hover === null ? null : valueAt(series, hover, reach);
        return (
          <button
            key={id}
            type="button"
            className={classes.series}
            aria-pressed={!hidden.has(id)}
            onClick={() => onToggle(id)}
          >
            <span className={classes.swatch} style={{ background: series.colour }} />
            {series.name}
            {value !== null && (
              <span className={classes.value}>
                {panel.names?.[value] ?? quantity(value, titled(panel.unit) ? "" : panel.unit, 4)}
              </span>
            )}
          </button>
        );
      })}
      {span !== undefined && <span className={classes.value}>{span.label}</span>}
    </div>
  );
}
