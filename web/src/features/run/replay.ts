/** How to get a run's files and to carry it out again elsewhere. */

/** All files of a run as one tar, which unpacks to a folder run-RUN. */
export function archivePath(run: number): string {
  return `/api/v1/runs/${run}/artifacts.tar`;
}

/** One command for all of the files, into a folder. origin: https://weir.example.org */
export function fetchCommand(run: number, origin: string, needsToken: boolean): string {
  const who = needsToken ? ' -H "Authorization: Bearer $WEIR_TOKEN"' : "";
  return `curl -f${who} ${origin}${archivePath(run)} | tar -x`;
}

/** Carries it out again and compares every file but host.json. */
export function replayCommand(run: number): string {
  return `weir replay run-${run}`;
}
