/** How to get a run's files and to carry it out again elsewhere. */

/** One command for all of the files, into a folder. origin: https://weir.example.org */
export function fetchCommand(
  run: number,
  names: readonly string[],
  origin: string,
  needsToken: boolean,
): string {
  const who = needsToken ? ' \\\n  -H "Authorization: Bearer $WEIR_TOKEN"' : "";
  const files = names.length === 1 ? (names[0] ?? "") : `{${names.join(",")}}`;
  return [
    `curl -fL --create-dirs -o "run-${run}/#1"${who} \\`,
    `  "${origin}/api/v1/runs/${run}/artifacts/${files}"`,
  ].join("\n");
}

/** Carries it out again and compares every file but host.json. */
export function replayCommand(run: number): string {
  return `weir replay run-${run}`;
}
