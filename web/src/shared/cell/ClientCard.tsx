import type { ReactElement } from "react";
import { playerName } from "#/shared/runs/player";
import { duration } from "#/shared/units/format";
import classes from "./cell.module.css";
import type { Cell, Client } from "./cell";
import { optimum, stays } from "./describe";
import { Label } from "./Label";

export const CARD = { width: 208, height: 60 };

interface CardProps {
  x: number;
  y: number;
  client: Client;
  cell: Cell;
  colour: string;
}

/** Equal players, with the screen they play on, their buffer and when they come and go. */
export function ClientCard({ x, y, client, cell, colour }: CardProps): ReactElement {
  const { player, options, count, buffer_s: buffer, transport, backup } = client;
  const isMptcp = transport === "mptcp";
  const facts = [`buffer ${duration(buffer)}`, stays(client)].filter((each) => each !== "");
  const last = [optimum(client, cell), backup.length > 0 ? `backup ${backup.join(", ")}` : ""];
  return (
    <g transform={`translate(${x} ${y})`}>
      {count > 1 && <rect x={5} y={5} {...CARD} rx={7} className={classes.box} opacity={0.7} />}
      <rect {...CARD} rx={7} className={classes.box} />
      <rect x={10} y={18} width={26} height={17} rx={2.5} fill={colour} opacity={0.9} />
      <path d="M20 23l7 3.5l-7 3.5z" fill="#fff" />
      <path d="M17 40h12" stroke={colour} strokeWidth={2} strokeLinecap="round" />
      <Label
        x={46}
        y={19}
        text={playerName(player, options)}
        tail={count > 1 ? ` × ${count}` : ""}
        fits={isMptcp ? 14 : 20}
      />
      {isMptcp && (
        <text x={CARD.width - 10} y={18.5} textAnchor="end" className={classes.title}>
          MPTCP
        </text>
      )}
      <Label x={46} y={35} text={facts.join(" · ")} fits={27} small />
      <Label x={46} y={50} text={last.filter((each) => each !== "").join(" · ")} fits={27} small />
    </g>
  );
}
