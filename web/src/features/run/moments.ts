import type { Moment } from "#/shared/plots/stack/panel";
import type { Curve } from "./queries";
import type { Experiment, PathEvent } from "./experiment";

/** What a role did to the network is done within this, s. */
const PROMPT_S = 0.05;

const BEGINS: Readonly<Record<string, string>> = {
  "loss-begins": "loss",
  "outage-begins": "an outage",
  "rtt-begins": "another round trip",
};
const ENDS: Readonly<Record<string, string>> = {
  "loss-ends": "loss ends",
  "outage-ends": "the carrier is back",
  "rtt-ends": "the round trip is as before",
};

function near(a: number, b: number): boolean {
  return Math.abs(a - b) < PROMPT_S;
}

function described(
  label: string,
  { client, path }: Curve,
  at: number,
  { events }: Experiment,
): string | null {
  const who = client === null ? "a client" : `client ${client}`;
  const on = path === null ? "" : `${path}: `;
  const mine = events.filter((event) => event.path === path);
  if (label in BEGINS) {
    const what = mine.find(({ atS }) => near(atS, at))?.what;
    if (what === "silent") return `${on}falls silent`;
    if (label === "outage-begins") return `${on}the carrier is lost`;
    return `${on}${what ?? BEGINS[label] ?? ""} begins`;
  }
  if (label in ENDS) {
    const what = mine.find(({ atS, forS }) => near(atS + forS, at))?.what;
    return `${on}${what === "silent" ? "silence ends" : (ENDS[label] ?? "")}`;
  }
  switch (label) {
    case "client-starts":
      return at > 0 ? `${who} joins` : null;
    case "client-stops":
      return `${who} leaves`;
    case "rate":
      return path === null ? "the link's rate changes" : `${path}: the link's rate changes`;
    default:
      return null;
  }
}

/** What happened in a run that its plots should show: who came and went, loss, changes of rate. What
 * concerned both directions happened once. */
export function momentsOf(curves: readonly Curve[], experiment: Experiment): Moment[] {
  const found: Moment[] = curves
    .filter(({ kind }) => kind === "events")
    .flatMap((curve) =>
      curve.t_s.flatMap((at, index) => {
        const label = described(curve.labels[index] ?? "", curve, at, experiment);
        return label === null ? [] : [{ at, label }];
      }),
    )
    .sort((a, b) => a.at - b.at);
  return found.filter(
    ({ at, label }, index) =>
      !found
        .slice(Math.max(0, index - 8), index)
        .some((one) => one.label === label && near(one.at, at)),
  );
}

/** The events asked for that a run came to: a failed one may have ended before. */
export function eventsHeld(curves: readonly Curve[], { events }: Experiment): readonly PathEvent[] {
  const begun = curves
    .filter(({ kind }) => kind === "events")
    .flatMap(({ t_s, labels, path }) =>
      t_s.flatMap((at, index) => ((labels[index] ?? "") in BEGINS ? [{ at, path }] : [])),
    );
  return events.filter(({ atS, path }) =>
    begun.some((one) => one.path === path && near(one.at, atS)),
  );
}
