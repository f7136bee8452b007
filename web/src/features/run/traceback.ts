/** Where a client's own code went wrong, out of the text of a traceback as Python writes it. */

export interface Place {
  file: string;
  /** From 1. */
  line: number;
}

export interface SourceLine {
  number: number;
  text: string;
  isWrong: boolean;
}

const FRAME = /^ {2}File "([^"]+)", line (\d+)/gm;
const AROUND = 3;

/** The place that was reached last, in one of these files. */
export function lastPlace(traceback: string, files: readonly string[]): Place | null {
  const places = [...traceback.matchAll(FRAME)].map(([, file = "", line]) => ({
    file,
    line: Number(line),
  }));
  return places.findLast(({ file }) => files.includes(file)) ?? null;
}

/** The lines around one of a text. */
export function excerpt(text: string, line: number): SourceLine[] {
  const from = Math.max(1, line - AROUND);
  return text
    .split("\n")
    .slice(from - 1, line + AROUND)
    .map((each, index) => ({
      number: from + index,
      text: each,
      isWrong: from + index === line,
    }));
}
