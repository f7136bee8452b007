/** A view as the API keeps it: its picture as bytes in text, its numbers within bounds. */
import type { Schema } from "#/api/client";
import type { Table } from "#/shared/plots/csv";

const MOST_PICTURE_BYTES = 1_000_000;
const MOST_ROWS = 2_000;
const MOST_COLUMNS = 60;
const LONGEST_COLUMN = 200;
const LONGEST_CELL = 300;

export type Picture = Schema<"Picture">;

/** A view's picture, drawn when it is asked for. */
export interface Drawing {
  svg: () => Promise<string>;
  png: () => Promise<Blob>;
}

async function textOf(blob: Blob): Promise<string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(reader.error ?? new Error("the picture could not be read"));
    reader.readAsDataURL(blob);
  });
  return url.slice(url.indexOf(",") + 1);
}

/** As SVG, or as PNG where that is too large; null where both are. */
export async function pictureOf({ svg, png }: Drawing): Promise<Picture | null> {
  const drawn = new Blob([await svg()], { type: "image/svg+xml" });
  const blob = drawn.size <= MOST_PICTURE_BYTES ? drawn : await png();
  if (blob.size > MOST_PICTURE_BYTES) return null;
  return { type: blob === drawn ? "image/svg+xml" : "image/png", base64: await textOf(blob) };
}

/** Null where a card can not hold so many. */
export function numbersOf({ columns, rows }: Table): Schema<"Numbers"> | null {
  if (rows.length > MOST_ROWS || columns.length > MOST_COLUMNS) return null;
  return {
    columns: columns.map((name) => name.slice(0, LONGEST_COLUMN)),
    rows: rows.map((row) =>
      columns.map((_, index) => {
        const cell = row[index] ?? null;
        if (typeof cell === "string") return cell.slice(0, LONGEST_CELL);
        return cell !== null && Number.isFinite(cell) ? cell : null;
      }),
    ),
  };
}
