import { duration, number, quantity } from "#/shared/units/format";
import type { Cell, Client, Link } from "./cell";

/** 67 packets = 1 BDP */
export function holds({ limit_packets: packets, limit_bdp: bdp }: Link["queue"]): string {
  const of = quantity(packets, "packets");
  return bdp === null ? of : `${of} = ${quantity(bdp, "BDP")}`;
}

/** Lines about a rate that varies; none for a constant one. */
export function varies({ steps, lowest_bps: low, highest_bps: high }: Link): string[] {
  return steps < 2
    ? []
    : [
        `mean of ${quantity(steps, "steps")}`,
        `≥ ${quantity(low, "bit/s")}`,
        `≤ ${quantity(high, "bit/s")}`,
      ];
}

/** 30 to 90 s; empty for one who is there from the start to the end. */
export function stays({ start_s: start, stop_s: stop }: Client): string {
  if (stop !== null) return `${number(start)} to ${quantity(stop, "s")}`;
  return start > 0 ? `from ${quantity(start, "s")}` : "";
}

/** The bitrates that are best for all together: of one client, or the lowest and highest. */
export function optimum({ optimal_levels: levels }: Client, { film }: Cell): string {
  const rates = levels.map((level) => film.bitrates_bps[level] ?? NaN);
  if (rates.length === 0) return "";
  const [low, high] = [Math.min(...rates), Math.max(...rates)].map((rate) =>
    quantity(rate, "bit/s"),
  );
  return low === high ? `optimum ${low}` : `optimum ${low} to ${high}`;
}

export function eventText(event: Cell["events"][number]): string {
  const { at_s: at, for_s: length, loss, rtt_s: rtt, down, path } = event;
  const what = [
    down != null && "no carrier",
    loss != null && `${quantity(100 * loss, "%")} loss`,
    rtt != null && `round trip ${duration(rtt)}`,
    path != null && `on ${path}`,
  ];
  return `${what.filter(Boolean).join(" ")} at ${duration(at)} for ${duration(length)}`;
}

/** The drawing in one sentence, for those who do not see it. */
export function describe(cell: Cell): string {
  const { server, path, upstream, downlink, shaping, clients } = cell;
  return [
    `Server ${server.http} with ${server.congestion_control}`,
    `round trip ${duration(path.rtt_s)}`,
    ...(upstream === null
      ? []
      : [
          `upstream queue ${upstream.link.queue.discipline} of ${holds(upstream.link.queue)}`,
          `upstream link ${quantity(upstream.link.rate_bps, "bit/s")}`,
        ]),
    ...(downlink === null
      ? []
      : [
          `gateway queue ${downlink.queue.discipline} of ${holds(downlink.queue)}`,
          `downlink ${quantity(downlink.rate_bps, "bit/s")}`,
        ]),
    `shaping ${shaping.method}`,
    `clients: ${clients.map(({ count, player }) => `${count} × ${player}`).join(", ")}`,
    ...cell.events.map(eventText),
  ].join("; ");
}
