import type { ReactElement } from "react";
import { duration } from "#/shared/units/format";
import classes from "./cell.module.css";
import type { Cell, CellEvent } from "./cell";
import { eventText, whatHappens } from "./describe";

/** Of a path's lane, in which its events are named. */
const LANE = 16;
const BAR = 5;
const CHARACTER = 6.3;

interface TimelineProps {
  x: number;
  y: number;
  width: number;
  cell: Cell;
  /** Of the clients that are drawn. */
  colours: readonly string[];
}

/** Named paths to which something happens. */
function lanesOf({ paths, events }: Cell): string[] {
  return paths.flatMap(({ name }) =>
    name !== null && events.some(({ path }) => path === name) ? [name] : [],
  );
}

/** With its labels, for so many clients. */
export function timelineHeight(cell: Cell, clients: number): number {
  return 30 + BAR * clients + LANE * lanesOf(cell).length;
}

/** When clients come and go over the experiment's duration, and what happens to the paths. */
export function Timeline({ x, y, width, cell, colours }: TimelineProps): ReactElement {
  const length = cell.duration_s;
  const at = (time: number): number => x + (width * Math.min(time, length)) / length;
  const lanes = lanesOf(cell);
  const top = y - 6 - BAR * colours.length - LANE * lanes.length;
  return (
    <g>
      {lanes.map((name, lane) => (
        <Lane
          key={name}
          events={cell.events.filter(({ path }) => path === name)}
          at={at}
          top={top + LANE * lane}
          bottom={y}
        />
      ))}
      {colours.map((colour, index) => {
        const client = cell.clients[index];
        return (
          <path
            key={index}
            d={`M${at(client?.start_s ?? 0)} ${y - 6 - BAR * index}H${at(client?.stop_s ?? length)}`}
            stroke={colour}
            strokeWidth={3}
            strokeLinecap="round"
          />
        );
      })}
      <path d={`M${x} ${y}H${x + width}`} className={classes.axis} opacity={0.6} />
      <text x={x} y={y + 15} className={classes.small}>
        0 s
      </text>
      {cell.events.map((event, index) => (
        <path key={index} d={`M${at(event.at_s)} ${y - 3}l5 9h-10z`} className={classes.event}>
          <title>{eventText(event)}</title>
        </path>
      ))}
      <text x={x + width} y={y + 15} textAnchor="end" className={classes.small}>
        {duration(length)}
      </text>
    </g>
  );
}

interface LaneProps {
  events: readonly CellEvent[];
  at: (time: number) => number;
  top: number;
  bottom: number;
}

/** How long each event of a path lasts, with its name where there is room for it. */
function Lane({ events, at, top, bottom }: LaneProps): ReactElement {
  const texts = labelsOf(events, at);
  return (
    <>
      {events.map((event, index) => {
        const [from, to] = [at(event.at_s), at(event.at_s + event.for_s)];
        const x = texts[index] ?? null;
        return (
          <g key={index}>
            <rect
              data-part="shade"
              x={from}
              y={top}
              width={Math.max(2, to - from)}
              height={bottom - top}
              rx={3}
              className={classes.shade}
            >
              <title>{eventText(event)}</title>
            </rect>
            {x !== null && (
              <text x={x} y={top + 12} className={classes.small}>
                {whatHappens(event)}
              </text>
            )}
          </g>
        );
      })}
    </>
  );
}

/** Where each event's name begins: in its shade, or before it; null: there is no room. */
function labelsOf(events: readonly CellEvent[], at: (time: number) => number): (number | null)[] {
  let free = at(0);
  return events.map((event, index) => {
    const width = CHARACTER * whatHappens(event).length;
    const [from, to] = [at(event.at_s), at(event.at_s + event.for_s)];
    const next = events[index + 1];
    const inside =
      from + 4 + width <= Math.max(to, next === undefined ? at(Infinity) : at(next.at_s));
    const before = from - 4 - width;
    const found = inside ? from + 4 : before >= free ? before : null;
    free = Math.max(to, found === null ? 0 : found + width + 8);
    return found;
  });
}
