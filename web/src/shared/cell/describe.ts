import { duration, number, quantity, span } from "#/shared/units/format";
import type { Cell, CellEvent, CellPath, Client, Link, Traffic } from "./cell";

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
  return `optimum ${span(Math.min(...rates), Math.max(...rates), "bit/s")}`;
}

/** 3 × udp of 4 Mbit/s */
export function trafficText({ kind, count, rate_bps: rate }: Traffic): string {
  return [
    count > 1 ? `${count} × ${kind}` : kind,
    ...(rate === null ? [] : [`of ${quantity(rate, "bit/s")}`]),
  ].join(" ");
}

/** wifi silent, 10 % loss, uplink 1 Mbit/s; what is true of the downlink alone does not say so. */
export function whatHappens({
  loss,
  rtt_s: rtt,
  rate_bps: rate,
  down,
  on,
  path,
}: CellEvent): string {
  const what = [
    path,
    on === "uplink" && on,
    down === "carrier" ? "no carrier" : down,
    loss != null && `${quantity(100 * loss, "%")} loss`,
    rtt != null && `round trip ${duration(rtt)}`,
    rate != null && quantity(rate, "bit/s"),
  ];
  return what.filter(Boolean).join(" ");
}

export function eventText(event: CellEvent): string {
  return `${whatHappens(event)} at ${duration(event.at_s)} for ${duration(event.for_s)}`;
}

function pathText({ name, rtt_s: rtt, upstream, downlink }: CellPath): string[] {
  const facts = [
    `round trip ${duration(rtt)}`,
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
  ];
  return name === null ? facts : [`path ${name}: ${facts.join(", ")}`];
}

function clientText({ count, player, transport, paths, backup }: Client): string {
  const used = paths.map((name) => (backup.includes(name) ? `${name} (backup)` : name));
  return [
    `${count} × ${player}`,
    transport === "mptcp" && "with MPTCP",
    used.length > 0 && `on ${used.join(" and ")}`,
  ]
    .filter(Boolean)
    .join(" ");
}

/** The drawing in one sentence, for those who do not see it. */
export function describe(cell: Cell): string {
  const { server, film, paths, shaping, clients, traffic } = cell;
  const { target_latency_s: target } = film;
  return [
    `Server ${server.http} with ${server.congestion_control}`,
    ...(target === null ? [] : [`live film with a target latency of ${duration(target)}`]),
    ...paths.flatMap(pathText),
    `shaping ${shaping.method}`,
    `clients: ${clients.map(clientText).join(", ")}`,
    ...traffic.map(
      (flow) =>
        `other traffic: ${trafficText(flow)}, ${flow.direction}` +
        (flow.path === null ? "" : ` on ${flow.path}`),
    ),
    ...cell.events.map(eventText),
  ].join("; ");
}
