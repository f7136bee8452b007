/** How texts wrap: known before they are drawn, so that plots leave room for all of them. */

const LETTER_PX = 6.7;
/** Of the wide ones, at most. */
const WIDER: readonly (readonly [RegExp, number])[] = [
  [/[mwMW%@]|[^\0-\u02ff]/, 12],
  [/[A-Z]/, 9.2],
  [/\d/, 7.6],
];

/** Of a text at 12 px in the page's font, generously. */
export function textWidth(text: string): number {
  const widths = Array.from(
    text,
    (letter) => WIDER.find(([letters]) => letters.test(letter))?.[1] ?? LETTER_PX,
  );
  return Math.ceil(widths.reduce((sum, each) => sum + each, 0));
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

/** How much of a text fits; at least a letter. */
function fitting(text: string, available: number): number {
  let end = text.length;
  while (end > 1 && textWidth(text.slice(0, end)) > available) end -= 1;
  return end;
}

/** A text on lines, broken between words where that can be. */
export function broken(text: string, available: number): string[] {
  const end = fitting(text, available);
  if (end === text.length) return [text];
  const space = text.lastIndexOf(" ", end);
  const [line, rest] = space > 0 ? [space, space + 1] : [end, end];
  return [text.slice(0, line), ...broken(text.slice(rest), available)];
}
