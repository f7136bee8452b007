/** How legends wrap: known before they are drawn, so that plots leave room for every entry. */

const LETTER_PX = 6.7;

/** Of a text at 12 px in the page's font, generously. */
export function textWidth(text: string): number {
  return Math.ceil(text.length * LETTER_PX);
}

/** Indices of what stands on each line, filled in order as CSS wraps a row. Never without a line. */
export function wrapped(widths: readonly number[], available: number, gap: number): number[][] {
  const lines: number[][] = [[]];
  let taken = 0;
  widths.forEach((width, index) => {
    const line = lines.at(-1) ?? [];
    if (line.length > 0 && taken + gap + width > available) {
      lines.push([index]);
      taken = width;
      return;
    }
    taken += (line.length > 0 ? gap : 0) + width;
    line.push(index);
  });
  return lines;
}
