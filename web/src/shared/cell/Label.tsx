import type { ReactElement } from "react";
import classes from "./cell.module.css";
import type { Word } from "./model";

interface LabelProps {
  x: number;
  y: number;
  word: Word;
  /** Characters that fit; what is longer is cut, and whole in its tooltip. */
  fits?: number;
  anchor?: "start" | "middle" | "end";
  unit?: string;
}

/** A word that was typed; wrong and missing ones look so, and say so to screen readers. */
export function Label({
  x,
  y,
  word,
  fits = 22,
  anchor = "start",
  unit = "",
}: LabelProps): ReactElement {
  const whole = word.text + unit;
  const cut = whole.length > fits ? `${whole.slice(0, fits - 1)}…` : whole;
  const look = word.state === "ok" ? "" : word.state === "wrong" ? classes.wrong : classes.missing;
  return (
    <text x={x} y={y} textAnchor={anchor} className={`${classes.word} ${look}`}>
      {cut}
      {(word.state === "wrong" || cut !== whole) && (
        <title>{word.state === "wrong" ? `${whole}: not understood` : whole}</title>
      )}
    </text>
  );
}
