/** What a run is called everywhere: by the number that addresses, API and CLI take. */
export function runTitle({ id, campaign }: { id: number; campaign: string }): string {
  return `Run ${id} – ${campaign}`;
}
