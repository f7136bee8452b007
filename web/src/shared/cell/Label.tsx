import type { ReactElement } from "react";
import classes from "./cell.module.css";

interface LabelProps {
  x: number;
  y: number;
  text: string;
  /** Characters that fit; what is longer is cut, and whole in its tooltip. */
  fits?: number;
  /** Behind it, never cut. */
  tail?: string;
  anchor?: "start" | "middle" | "end";
  small?: boolean;
}

/** A word in the drawing. */
export function Label(props: LabelProps): ReactElement {
  const { x, y, text, fits = 22, tail = "", anchor = "start", small = false } = props;
  const room = fits - tail.length;
  const cut = text.length > room ? `${text.slice(0, room - 1)}…` : text;
  return (
    <text x={x} y={y} textAnchor={anchor} className={small ? classes.small : classes.word}>
      {cut + tail}
      {cut !== text && <title>{text}</title>}
    </text>
  );
}
