/** A player as people tell it from others: with its version, where it has some. */
export function playerName(player: string, options: Readonly<Record<string, unknown>>): string {
  const { version } = options;
  return typeof version === "string" ? `${player} ${version}` : player;
}
