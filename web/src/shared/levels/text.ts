/** JSON on one line with the spaces that the API writes. */
function json(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(json).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value).map(([name, each]) => `"${name}": ${json(each)}`);
    return `{${fields.join(", ")}}`;
  }
  return JSON.stringify(value);
}

/** A level as the API has it on one line: `sfq`, `discipline: sfq, limit: 1bdp`. */
export function levelText(level: unknown): string {
  if (typeof level === "string") return level;
  if (typeof level !== "object" || level === null || Array.isArray(level)) return json(level);
  return Object.entries(level)
    .map(([name, value]) => `${name}: ${levelText(value)}`)
    .join(", ");
}
