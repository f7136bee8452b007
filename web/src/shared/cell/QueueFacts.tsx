import type { ReactElement } from "react";
import { duration } from "#/shared/units/format";
import type { Link } from "./cell";
import { holds } from "./describe";
import { Label } from "./Label";
import { QueueGlyph } from "./QueueGlyph";

interface QueueFactsProps {
  queue: Link["queue"];
  colours: readonly string[];
}

/** Which discipline, its picture, what it holds and how long that takes to send. */
export function QueueFacts({ queue, colours }: QueueFactsProps): ReactElement {
  return (
    <>
      <Label x={14} y={45} text={queue.discipline} fits={16} />
      <g transform="translate(14 54)">
        <QueueGlyph queue={queue} colours={colours} />
      </g>
      <Label x={14} y={106} text={holds(queue)} fits={26} small />
      <Label
        x={14}
        y={123}
        text={queue.full_s === null ? "" : `drains in ${duration(queue.full_s)}`}
        small
      />
    </>
  );
}
