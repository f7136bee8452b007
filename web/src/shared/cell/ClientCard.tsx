import type { ReactElement } from "react";
import classes from "./cell.module.css";
import { Label } from "./Label";
import type { ClientDrawn } from "./model";

export const CARD = { width: 196, height: 46 };

/** A player, with the screen it plays on, its buffer and when it comes and goes. */
export function ClientCard({
  x,
  y,
  client,
  colour,
}: {
  x: number;
  y: number;
  client: ClientDrawn;
  colour: string;
}): ReactElement {
  const { start, stop } = client;
  const when =
    stop !== null ? ` · ${start ?? "0s"} – ${stop}` : start !== null ? ` · from ${start}` : "";
  return (
    <g transform={`translate(${x} ${y})`}>
      {client.count > 1 && (
        <rect x={5} y={5} {...CARD} rx={7} className={classes.box} opacity={0.7} />
      )}
      <rect {...CARD} rx={7} className={classes.box} />
      <rect x={10} y={12} width={26} height={17} rx={2.5} fill={colour} opacity={0.9} />
      <path d="M20 17l7 3.5l-7 3.5z" fill="#fff" />
      <path d="M17 34h12" stroke={colour} strokeWidth={2} strokeLinecap="round" />
      <Label
        x={46}
        y={20}
        word={client.player}
        fits={19}
        unit={client.count > 1 ? ` × ${client.count}` : ""}
      />
      <text x={46} y={36} className={classes.small}>
        {`buffer ${client.buffer}${when}`.slice(0, 28)}
      </text>
    </g>
  );
}
