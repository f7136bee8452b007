/** Rows of numbers and names, and their CSV after RFC 4180. */
export interface Table {
  columns: readonly string[];
  rows: readonly (readonly (string | number | null)[])[];
}

function field(value: string | number | null): string {
  if (value === null) return "";
  // A leading =, +, - or @ would be run as a formula by spreadsheets.
  const text = typeof value === "string" ? value.replace(/^(?=[=+\-@\t\r])/, "'") : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csvOf({ columns, rows }: Table): string {
  return [columns, ...rows].map((row) => row.map(field).join(",")).join("\r\n") + "\r\n";
}
