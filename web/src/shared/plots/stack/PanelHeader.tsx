import type { ReactElement } from "react";
import { quantity } from "#/shared/units/format";
import {
  entriesOf,
  headerLeft,
  headerLines,
  isNarrow,
  titleOf,
  titled,
  type Entry,
  type Slot,
} from "./layout";
import type { Panel } from "./panel";
import classes from "./stack.module.css";
import { Swatch } from "./Swatch";
import { valueAt } from "./window";

interface PanelHeaderProps {
  panel: Panel;
  index: number;
  slot: Slot;
  /** Of the stack, px. */
  width: number;
  hover: number | null;
  /** How near a dot must be to be read out, s. */
  reach: number;
  hidden: ReadonlySet<string>;
  onToggle: (id: string) => void;
}

/** A panel's title and legend; the legend reads out the values under the pointer. */
export function PanelHeader(props: PanelHeaderProps): ReactElement {
  const { panel, index, slot, width, hover, reach, hidden, onToggle } = props;
  const entries = entriesOf(panel, index, width);
  const span =
    hover === null ? undefined : panel.spans?.find(({ from, to }) => from <= hover && hover <= to);
  const read = (entry: Entry): string => {
    const { series } = entry;
    const value = hover === null || series === null ? null : valueAt(series, hover, reach);
    if (value === null) return "";
    return panel.names?.[value] ?? quantity(value, titled(panel.unit) ? "" : panel.unit, 4);
  };
  return (
    <div
      className={classes.header}
      style={{ top: slot.top - slot.header, left: headerLeft(width) }}
    >
      {headerLines(panel, entries, width).map((line, number) => (
        <div key={number} className={classes.line}>
          {line.map((entry) => {
            if (entry === null)
              return (
                <span key="title" className={classes.title}>
                  {titleOf(panel)}
                </span>
              );
            const { id, name } = entry;
            if (id === null)
              return (
                <span key={name} className={classes.series}>
                  <Swatch entry={entry} />
                  {name}
                </span>
              );
            return (
              <button
                key={id}
                type="button"
                className={classes.series}
                style={{ width: entry.width }}
                aria-label={name}
                aria-pressed={!hidden.has(id)}
                onClick={() => onToggle(id)}
              >
                <Swatch entry={entry} />
                {isNarrow(width) && read(entry) !== "" ? null : name}
                <span className={classes.value}>{read(entry)}</span>
              </button>
            );
          })}
          {number === 0 && span !== undefined && (
            <span className={classes.value}>{span.label}</span>
          )}
        </div>
      ))}
    </div>
  );
}
