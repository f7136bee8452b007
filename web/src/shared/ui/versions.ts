const SHOWN = 12;

/** A version in short: the beginning of a commit. */
export function versionText(version: string): string {
  return version.slice(0, SHOWN);
}

/** "player.py 3f2a91c0d5e7, trace.csv v2.1" */
export function versionsText(of: Readonly<Record<string, string>>): string {
  return Object.entries(of)
    .map(([name, version]) => `${name} ${versionText(version)}`)
    .join(", ");
}
