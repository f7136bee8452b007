import type { CellDrawn, Word } from "./model";

const said = (word: Word): string =>
  word.state === "ok" ? word.text : word.state === "missing" ? "not given" : `${word.text} (wrong)`;

/** The drawing in one sentence, for those who do not see it. */
export function describe(cell: CellDrawn): string {
  const clients = cell.clients.map((each) => `${each.count} × ${said(each.player)}`);
  return [
    `Server ${said(cell.server.http)} with ${said(cell.server.congestionControl)}`,
    `round trip ${said(cell.rtt)}`,
    `gateway queue ${said(cell.queue.discipline)} of ${said(cell.queue.limit)}`,
    `shaping ${said(cell.shaping.method)}`,
    `downlink ${said(cell.downlink.rate)}`,
    `clients: ${clients.join(", ") || "none"}`,
    ...cell.events,
  ].join("; ");
}
