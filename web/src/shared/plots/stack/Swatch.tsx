import type { ReactElement } from "react";
import type { Symbol } from "../series";
import { SWATCH_PX, type Entry } from "./layout";

const SHAPES: Record<Symbol, string> = {
  circle: "M4 5a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z",
  triangle: "M8 1l4.5 8h-9z",
  diamond: "M8 0.5l4.5 4.5l-4.5 4.5l-4.5 -4.5z",
  rect: "M4.5 1.5h7v7h-7z",
};

/** What an entry of a legend looks like in the plot. */
export function Swatch({ entry: { look, colour } }: { entry: Entry }): ReactElement {
  return (
    <svg width={SWATCH_PX} height={10} aria-hidden style={{ flex: "none" }}>
      {look === "span" ? (
        <rect width={SWATCH_PX} height={10} fill={colour} opacity={0.3} />
      ) : "symbol" in look ? (
        <path d={SHAPES[look.symbol]} fill={colour} transform={`translate(${SWATCH_PX / 2 - 8})`} />
      ) : (
        <path
          d={`M0 5H${SWATCH_PX}`}
          stroke={colour}
          strokeWidth={2}
          strokeDasharray={look.line.join(" ")}
        />
      )}
    </svg>
  );
}
