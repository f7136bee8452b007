import type { ReactElement } from "react";
import { quantity } from "#/shared/units/format";
import classes from "./cell.module.css";
import type { Cell } from "./cell";
import { Label } from "./Label";

const SHOWN = 3;
const NONE = "none";

interface ShapingProps {
  shaping: Cell["shaping"];
  colours: readonly string[];
}

/** The bandwidth manager: a valve for each session, or nothing. */
export function ShapingGlyph({ shaping, colours }: ShapingProps): ReactElement {
  const { method, headroom } = shaping;
  return (
    <g>
      <text className={classes.title}>shaping</text>
      <Label x={0} y={21} text={method} fits={16} />
      {method === NONE ? (
        <Label x={0} y={38} text="sessions compete" small />
      ) : (
        <>
          <Label x={0} y={38} text={`+ ${quantity(100 * headroom, "%")} headroom`} small />
          {colours.slice(0, SHOWN).map((colour, lane) => (
            <g
              key={lane}
              transform={`translate(2 ${56 + lane * 13})`}
              stroke={colour}
              fill={colour}
            >
              <path d="M0 0h32m14 0h44" strokeWidth={3} strokeLinecap="round" />
              <path d="M32 -4.5l7 4.5l-7 4.5zM46 -4.5l-7 4.5l7 4.5z" strokeWidth={0.5} />
            </g>
          ))}
        </>
      )}
    </g>
  );
}
