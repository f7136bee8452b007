/** Whose script plays in a browser itself, and its version is that script's. */
const SCRIPTS: Readonly<Record<string, string>> = { chromium: "dashjs" };

/** A player as people tell it from others: with its version, where it has some. */
export function playerName(player: string, options: Readonly<Record<string, unknown>>): string {
  const { version } = options;
  if (typeof version !== "string") return player;
  const script = SCRIPTS[player];
  return script === undefined ? `${player} ${version}` : `${script} ${version} in ${player}`;
}
