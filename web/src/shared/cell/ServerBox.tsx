import type { ReactElement } from "react";
import { duration } from "#/shared/units/format";
import classes from "./cell.module.css";
import type { Cell } from "./cell";
import { Label } from "./Label";

interface ServerProps {
  x: number;
  y: number;
  server: Cell["server"];
  film: Cell["film"];
}

/** The web server's host, 150 wide and 110 high, from its top left corner. */
export function ServerBox({ x, y, server, film }: ServerProps): ReactElement {
  const { target_latency_s: target } = film;
  return (
    <g transform={`translate(${x} ${y})`}>
      <rect width={150} height={110} rx={8} className={classes.box} />
      <g transform="translate(116 14)" className={classes.icon}>
        {[0, 9, 18].map((top) => (
          <g key={top}>
            <rect y={top} width={20} height={7} rx={1.5} />
            <path d={`M4 ${top + 3.5}h.1M14 ${top + 3.5}h2`} />
          </g>
        ))}
      </g>
      <text x={14} y={24} className={classes.title}>
        server
      </text>
      <Label x={14} y={target === null ? 56 : 45} text={server.http} fits={16} />
      {target !== null && (
        <Label x={14} y={61} text={`live, target ${duration(target)}`} fits={20} small />
      )}
      <Label x={14} y={80} text="congestion control" small />
      <Label x={14} y={97} text={server.congestion_control} fits={16} />
    </g>
  );
}
