/** A view as text to take along: the request that it shows, and its numbers. */
import type { Table } from "#/shared/plots/csv";

/** A request of the API, and the call of `weir_sdk` that is the same. */
export interface Asked {
  /** /api/v1/campaigns/ID/aggregate */
  path: string;
  /** aggregate_metric */
  call: string;
  /** What the call names first: a campaign's id, a run's. */
  of: readonly (string | number)[];
  query: Readonly<Record<string, Value>>;
  /** Factor -> level as text. */
  levels?: Readonly<Record<string, string>>;
  /** Asked once for each of these: in the path's `{name}`, or else as the parameter of that name. */
  each?: { name: string; values: readonly (string | number)[] } | undefined;
}

type Value = string | number | boolean | readonly string[] | null | undefined;

/** A list that goes into one parameter, with commas between. */
export const COMMAS: ReadonlySet<string> = new Set(["kinds"]);

function given(query: Asked["query"]): [string, NonNullable<Value>][] {
  return Object.entries(query).flatMap(([name, value]) => (value == null ? [] : [[name, value]]));
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Whether what it is asked for stands in the path. */
function isInPath({ path, each }: Asked): boolean {
  return each !== undefined && path.includes(`{${each.name}}`);
}

/** A command for a shell. needsToken: it takes one from $WEIR_TOKEN. */
export function curlOf(asked: Asked, origin: string, needsToken: boolean): string {
  const { path, query, levels = {}, each } = asked;
  const inPath = isInPath(asked);
  const parameters = given(query).flatMap(([name, value]) =>
    typeof value !== "object"
      ? [`${name}=${value}`]
      : COMMAS.has(name)
        ? [`${name}=${value.join(",")}`]
        : value.map((one) => `${name}=${one}`),
  );
  const named = Object.entries(levels).map(([factor, level]) => `level.${factor}=${level}`);
  const address = inPath
    ? `"${origin}${path.replace(`{${each?.name}}`, `$${each?.name}`)}"`
    : quoted(origin + path);
  const command = [
    `curl -fG ${address}`,
    ...(needsToken ? ['-H "Authorization: Bearer $WEIR_TOKEN"'] : []),
    ...[...parameters, ...named].map((one) => `--data-urlencode ${quoted(one)}`),
    ...(each === undefined || inPath ? [] : [`--data-urlencode "${each.name}=$${each.name}"`]),
  ];
  if (each === undefined) return command.join(" \\\n  ");
  const values = each.values.map((value) => quoted(String(value))).join(" ");
  const kept = `-o "${each.name}-$${each.name}.json"`;
  return `for ${each.name} in ${values}; do\n  ${[...command, kept].join(" \\\n    ")}\ndone`;
}

/** A value as Python has it. */
function python(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "float('nan')";
  if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
  if (typeof value === "object")
    return `{${Object.entries(value)
      .map(([key, each]) => `${python(key)}: ${python(each)}`)
      .join(", ")}}`;
  return JSON.stringify(value);
}

/** A few lines of Python by weir_sdk. */
export function sdkOf(asked: Asked, origin: string, needsToken: boolean): string {
  const { call, of, query, levels = {}, each } = asked;
  const inPath = isInPath(asked);
  const named = given(query).map(([name, value]) => `${name}=${python(value)}`);
  const some = Object.keys(levels).length === 0 ? [] : [`levels=${python(levels)}`];
  const first = inPath ? [each?.name] : [];
  const last = each === undefined || inPath ? [] : [`${each.name}=${each.name}`];
  const words = [...of.map(python), ...first, ...last, ...named, ...some].join(", ");
  const token = needsToken ? ', os.environ["WEIR_TOKEN"]' : "";
  const found =
    each === undefined
      ? [`    found = weir.${call}(${words})`]
      : [
          "    found = {",
          `        ${each.name}: weir.${call}(${words})`,
          `        for ${each.name} in ${python(each.values)}`,
          "    }",
        ];
  return [
    ...(needsToken ? ["import os", ""] : []),
    "from weir_sdk import Client",
    "",
    `with Client(${python(origin)}${token}) as weir:`,
    ...found,
    "",
  ].join("\n");
}

/** The numbers as a data frame. */
export function pandasOf({ columns, rows }: Table): string {
  const series = columns.map((name, index) => {
    const values = rows.map((row) => row[index] ?? null);
    return `        ${python(name)}: ${python(values)},`;
  });
  return [
    "import pandas as pd",
    "",
    "table = pd.DataFrame(",
    "    {",
    ...series,
    "    }",
    ")",
    "",
  ].join("\n");
}

const SIGNS: Readonly<Record<string, string>> = {
  "\\": "\\textbackslash{}",
  "~": "\\textasciitilde{}",
  "^": "\\textasciicircum{}",
  "−": "$-$",
  "±": "$\\pm$",
  "…": "\\ldots{}",
  "▲": "$\\blacktriangle$",
  "▼": "$\\blacktriangledown$",
  "\u202f": "\\,",
};
const DIGITS = 4;

function latex(value: string | number | null): string {
  if (value === null) return "--";
  if (typeof value === "number")
    return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(DIGITS)));
  return value.replace(/[\\~^−±…▲▼\u202f]|[&%$#_{}]/g, (sign) => SIGNS[sign] ?? `\\${sign}`);
}

/** The numbers as a table for LaTeX with the package booktabs, to four digits. */
export function latexOf({ columns, rows }: Table, title: string): string {
  const isNumber = columns.map((_, index) =>
    rows.every((row) => row[index] == null || typeof row[index] === "number"),
  );
  const line = (cells: readonly (string | number | null)[]): string =>
    `    ${cells.map(latex).join(" & ")} \\\\`;
  return [
    "\\begin{table}",
    "  \\centering",
    `  \\caption{${latex(title)}}`,
    `  \\begin{tabular}{${isNumber.map((is) => (is ? "r" : "l")).join("")}}`,
    "    \\toprule",
    line(columns),
    "    \\midrule",
    ...rows.map(line),
    "    \\bottomrule",
    "  \\end{tabular}",
    "\\end{table}",
    "",
  ].join("\n");
}
